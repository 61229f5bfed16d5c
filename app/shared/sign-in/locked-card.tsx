import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'

interface LockedCardProps {
  title: string
  id?: string
  /** Where the password is confirmed. */
  to: string
  children?: string
}

/** In place of a form for which staff confirm their password first. */
export function LockedCard({
  title,
  id = 'locked',
  to,
  children = 'Confirm your password and authenticator code first.',
}: LockedCardProps) {
  return (
    <Card padded id={id} title={title}>
      <p className="muted">{children}</p>
      <div>
        <LinkButton look="primary" to={to}>
          Confirm your password
        </LinkButton>
      </div>
    </Card>
  )
}
