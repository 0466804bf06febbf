"""A defect in the code that reads responses, for tests of what becomes of it."""


class Bug:
    """A spider middleware that raises as a callback might: for URLs that say so."""

    async def process_spider_output(self, response, result):
        async for each in result:
            if "/bug" in response.url:
                raise RuntimeError("a defect of ours")
            yield each
