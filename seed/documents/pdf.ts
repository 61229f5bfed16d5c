/** A one-page PDF of text lines, written by hand: https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf */

/** Letters beyond Latin-1 become question marks: the built-in fonts have no others. */
export function pdf(lines: readonly string[]): Uint8Array {
  const shown = lines.flatMap(wrapped).slice(0, 52)
  const text = shown.map((line) => `(${escaped(line)}) Tj T*`).join('\n')
  const stream = `BT /F1 11 Tf 14 TL 60 750 Td\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const file = `${body}xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Uint8Array.from(file, (letter) => letter.charCodeAt(0))
}

function escaped(line: string): string {
  return line.replace(/[^\x20-\xff]/g, '?').replace(/[\\()]/g, (letter) => `\\${letter}`)
}

function wrapped(line: string): string[] {
  if (line.length <= 92) return [line]
  const cut = line.lastIndexOf(' ', 92)
  const at = cut > 0 ? cut : 92
  return [line.slice(0, at), ...wrapped(line.slice(at).trimStart())]
}
