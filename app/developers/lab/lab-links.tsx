import { LinkButton } from '../../components/ui/button.tsx'

interface LabAddresses {
  faults: string
  launch: string
  bulk: string
  inferno: string
}

const names: Record<keyof LabAddresses, string> = {
  faults: 'Fault Lab',
  launch: 'Launch simulator',
  bulk: 'Bulk lab',
  inferno: 'Test with Inferno',
}

/** From one bench of the laboratory to the others. */
export function LabLinks({ lab, here }: { lab: LabAddresses; here: keyof LabAddresses }) {
  return (
    <nav className="row" aria-label="Laboratory">
      {(Object.keys(names) as (keyof LabAddresses)[])
        .filter((name) => name !== here)
        .map((name) => (
          <LinkButton key={name} size="sm" to={lab[name]}>
            {names[name]}
          </LinkButton>
        ))}
    </nav>
  )
}
