"""Joins the packages: stages that read rows, think and write rows, and the commands."""
