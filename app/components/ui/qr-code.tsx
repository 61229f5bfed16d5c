interface QrCodeProps {
  /** One path over a square of this many modules a side. */
  path: string
  size: number
  label: string
}

/** Dark on light in every theme: cameras expect it. */
export function QrCode({ path, size, label }: QrCodeProps) {
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path className="ground" d={`M0 0h${size}v${size}h-${size}z`} />
      <path className="dots" d={path} />
    </svg>
  )
}
