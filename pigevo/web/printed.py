"""The style of a page of A4 that a browser prints: what all of them share."""

PRINTED = """
@page { size: A4; margin: 12mm; }
* { box-sizing: border-box; }
html { color-scheme: light; background: #fff; color: #000; }
html { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
body { margin: 0 auto; padding: 1rem; max-width: 210mm; font: 9.5pt/1.3 "DejaVu Sans", Verdana, Arial, sans-serif; }
h1 { margin: 0 0 1.5mm; font-size: 17pt; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 3mm 0 1mm; font-size: 12pt; }
p { margin: 0 0 1mm; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
footer { margin-top: 2mm; color: #555; font-size: 7.5pt; }
@media print {
  body { padding: 0; max-width: none; }
  .wide { overflow: visible; }
}
"""
