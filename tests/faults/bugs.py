"""A deliberate defect in the code that reads responses."""


class Bug:
    """A spider middleware that raises an exception for URLs that contain "bug"."""

    async def process_spider_output(self, response, result):
        async for each in result:
            if "/bug" in response.url:
                raise RuntimeError("a defect of ours")
            yield each
