"""Crawls the benchmark's site with Scrapy: scrapy runspider scrapy_spider.py -a seed=URL -a counted=FILE; takes links and titles."""
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Spider(CrawlSpider):
    name = "bench"
    custom_settings = {"CONCURRENT_REQUESTS": 64, "CONCURRENT_REQUESTS_PER_DOMAIN": 64, "ROBOTSTXT_OBEY": False}
    rules = (Rule(LinkExtractor(), callback="take", follow=True),)

    def __init__(self, seed, counted, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [seed]
        self.counted = counted
        self.pages = set()

    def take(self, response):
        response.css("title::text").get()
        self.pages.add(response.url.split("?")[0])

    parse_start_url = take

    def closed(self, reason):
        with open(self.counted, "w") as file:
            file.write(str(len(self.pages)))
