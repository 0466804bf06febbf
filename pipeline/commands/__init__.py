"""The commands that `scrapy -h` lists, one file each."""
