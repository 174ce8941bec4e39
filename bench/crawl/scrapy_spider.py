"""Crawls the benchmark's site with Scrapy: scrapy runspider scrapy_spider.py -a seed=URL; takes links and titles."""
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Spider(CrawlSpider):
    name = "bench"
    custom_settings = {"CONCURRENT_REQUESTS": 64, "CONCURRENT_REQUESTS_PER_DOMAIN": 64, "ROBOTSTXT_OBEY": False}
    rules = (Rule(LinkExtractor(), callback="take", follow=True),)

    def __init__(self, seed, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [seed]

    def take(self, response):
        response.css("title::text").get()
