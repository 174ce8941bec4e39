#!/bin/bash
# Makes pairs of a document and its text for `npm run bench -- documents`:
# bash bench/reading/make-documents.sh SHARE OUT, with SHARE the usr/share of unpacked Debian packages (debian-faq*, debmake-doc,
# debian-policy, debian-handbook, developers-reference*). Needs pandoc and LibreOffice.
set -e
share=$1
out=$2
mkdir -p "$out"

# What packages ship as PDF or EPUB and as plain text, made from one source.
pair() { # SET NAME FILE TEXT
  [ -s "$3" ] && [ -s "$4" ] || return 0
  mkdir -p "$out/$1"
  local format=${3%.gz}
  case $3 in *.gz) gzip -cd "$3" ;; *) cat "$3" ;; esac > "$out/$1/$2.${format##*.}"
  gzip -cd "$4" > "$out/$1/$2.txt"
}
for language in en de fr it nl ru; do
  faq=$share/doc/debian/FAQ/debian-faq.$language
  pair faq-pdf $language "$faq.pdf.gz" "$faq.txt.gz"
done
for language in en de ru ja zh-cn zh-tw; do
  manual=$share/doc/debmake-doc/debmake-doc.$language
  pair debmake-pdf $language "$manual.pdf" "$manual.txt.gz"
  pair debmake-epub $language "$manual.epub" "$manual.txt.gz"
done
pair policy-pdf policy "$share/doc/debian-policy/policy.pdf.gz" "$share/doc/debian-policy/policy.txt.gz"
pair policy-epub policy "$share/doc/debian-policy/policy.epub" "$share/doc/debian-policy/policy.txt.gz"

# Pages of a handbook in six languages, turned into documents.
for language in en-US de-DE fr-FR ja-JP ru-RU es-ES; do
  for page in "$share"/doc/debian-handbook/html/$language/sect.{backup,apt-get,virtualization}.html; do
    [ -s "$page" ] || continue
    name=$(basename "$page" .html).$language
    for format in docx odt rtf pptx; do
      mkdir -p "$out/pandoc-$format"
      pandoc -f html -t plain --wrap=none "$page" -o "$out/pandoc-$format/$name.txt"
      pandoc -s -f html "$page" -o "$out/pandoc-$format/$name.$format" 2>/dev/null || rm -f "$out/pandoc-$format/$name".*
    done
    for format in pdf doc-docx; do
      mkdir -p "$out/libreoffice-${format#*-}"
      soffice --headless --convert-to "${format#*-}" --outdir "$out/libreoffice-${format#*-}" "$out/pandoc-odt/$name.odt" > /dev/null 2>&1
      cp "$out/pandoc-odt/$name.txt" "$out/libreoffice-${format#*-}/$name.txt"
    done
  done
done

# A table of words, as a workbook.
for format in xlsx ods; do
  mkdir -p "$out/libreoffice-$format"
  gzip -cd "$share/doc/debian-policy/upgrading-checklist.txt.gz" | head -1500 | tr -d '",;' | tr -s ' ' ',' > "$out/libreoffice-$format/words.csv"
  soffice --headless --convert-to $format --outdir "$out/libreoffice-$format" "$out/libreoffice-$format/words.csv" > /dev/null 2>&1
  mv "$out/libreoffice-$format/words.csv" "$out/libreoffice-$format/words.txt"
done
