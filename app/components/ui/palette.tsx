import { useNavigate } from '@remix-run/react'
import { Command } from 'cmdk'
import { ArrowRight, Search } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'

interface Entry {
  to: string
  label: string
  /** Said at the right end, and searched too. */
  where: string
  /** Not a page of the portal: the browser loads it. */
  document?: boolean
}

export interface PaletteProps {
  groups: readonly { heading: string; entries: readonly Entry[] }[]
  onClose: () => void
}

/** Things to do, then things to read. */
export default function Palette({ groups, onClose }: PaletteProps) {
  const navigate = useNavigate()
  const go = (entry: Entry) => {
    onClose()
    if (entry.document) window.location.assign(entry.to)
    else navigate(entry.to)
  }
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content className="dialog palette" aria-describedby={undefined}>
          <Radix.Title className="sr">Search or jump to</Radix.Title>
          <Command label="Search or jump to" loop>
            <div className="ask">
              <Search className="i" />
              <Command.Input autoFocus />
              <kbd>Esc</kbd>
            </div>
            <Command.List label="Results">
              <Command.Empty>Nothing by that name. Try a page or an organization.</Command.Empty>
              {groups
                .filter((group) => group.entries.length > 0)
                .map((group) => (
                  <Command.Group key={group.heading} heading={group.heading}>
                    {group.entries.map((entry) => (
                      <Command.Item
                        key={entry.to + entry.label}
                        value={`${entry.label} ${entry.where}`}
                        onSelect={() => go(entry)}
                      >
                        <ArrowRight className="i" />
                        {entry.label}
                        <span className="muted small">{entry.where}</span>
                      </Command.Item>
                    ))}
                  </Command.Group>
                ))}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
