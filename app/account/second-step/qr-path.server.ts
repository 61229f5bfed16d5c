/** A QR code as one SVG path, made on the server. */
import encodeQR from 'qr'

/** Light modules around it, as scanners want them. */
const border = 4

export function toQrPath(text: string): { path: string; size: number } {
  const rows = encodeQR(text, 'raw', { border })
  const path = rows
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return { path, size: rows.length }
}
