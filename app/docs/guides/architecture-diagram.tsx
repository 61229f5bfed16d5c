// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
// biome-ignore-all lint/a11y/useSemanticElements: the picture scrolls inside a region with a name

interface BoxProps {
  x: number
  y: number
  w: number
  h?: number
  title: string
  sub?: string
  look?: 'interface' | 'layer' | 'caller'
}

const callers: readonly BoxProps[] = [
  { x: 16, y: 16, w: 164, title: 'Patient and', sub: 'clinician apps' },
  { x: 198, y: 16, w: 164, title: 'Backend systems', sub: 'signed assertions' },
  { x: 380, y: 16, w: 164, title: 'Your server', sub: 'an API key' },
  { x: 562, y: 16, w: 142, title: 'Anybody', sub: 'no credential' },
]

const interfaces: readonly BoxProps[] = [
  { x: 16, y: 156, w: 164, title: 'FHIR and SMART', sub: '/r4/{practice}' },
  { x: 198, y: 156, w: 164, title: 'Bulk Data', sub: '…/Group/{id}/$export' },
  { x: 380, y: 156, w: 164, title: 'REST and MCP', sub: '/api/v1' },
  { x: 562, y: 156, w: 142, title: 'Status', sub: '/api/v1/system' },
]

const layers: readonly BoxProps[] = [
  { x: 16, y: 254, w: 124, title: 'Who is calling', h: 44 },
  { x: 157, y: 254, w: 124, title: 'Limits', h: 44 },
  { x: 298, y: 254, w: 124, title: 'Access', h: 44 },
  { x: 439, y: 254, w: 124, title: 'Search', h: 44 },
  { x: 580, y: 254, w: 124, title: 'Record of access', h: 44 },
]

/** How the server is built. Colors are those of the theme. */
export function ArchitectureDiagram() {
  return (
    <div className="diagram" role="region" aria-label="The server as a picture" tabIndex={0}>
      <svg
        viewBox="0 0 720 404"
        role="img"
        aria-label="Callers, the edge, four interfaces, shared layers and one database"
      >
        {callers.map((each) => (
          <Box key={each.title} {...each} look="caller" />
        ))}
        {[98, 280, 462, 633].map((x) => (
          <Arrow key={x} x={x} from={68} to={92} />
        ))}
        <Box x={16} y={94} w={688} h={36} title="Edge: correlation id, sizes, headers" look="layer" />
        {[98, 280, 462, 633].map((x) => (
          <Arrow key={x} x={x} from={130} to={154} />
        ))}
        {interfaces.map((each) => (
          <Box key={each.title} {...each} look="interface" />
        ))}
        {[98, 280, 462, 633].map((x) => (
          <Arrow key={x} x={x} from={208} to={252} />
        ))}
        {layers.map((each) => (
          <Box key={each.title} {...each} look="layer" />
        ))}
        <Arrow x={360} from={298} to={332} />
        <Box
          x={16}
          y={334}
          w={688}
          title="One PostgreSQL"
          sub="records as FHIR JSON · keys, apps, agreements · logs"
        />
      </svg>
    </div>
  )
}

function Box({ x, y, w, h = 52, title, sub, look = 'layer' }: BoxProps) {
  const middle = x + w / 2
  return (
    <g className={look}>
      <rect x={x} y={y} width={w} height={h} rx={8} />
      <text className="title" x={middle} y={y + h / 2 + (sub ? -3 : 5)}>
        {title}
      </text>
      {sub && (
        <text className="sub" x={middle} y={y + h / 2 + 16}>
          {sub}
        </text>
      )}
    </g>
  )
}

function Arrow({ x, from, to }: { x: number; from: number; to: number }) {
  return <path className="arrow" d={`M${x} ${from}V${to - 2}m-4 -5l4 5l4 -5`} />
}
