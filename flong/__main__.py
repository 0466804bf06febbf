"""`python -m flong` does what `flong` does."""

from flong.command_line import main

if __name__ == "__main__":
    main()
