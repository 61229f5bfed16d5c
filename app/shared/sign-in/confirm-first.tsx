import { Banner, Card, LinkButton } from '../../components/ui/page-parts.tsx'

interface ConfirmProps {
  /** The page on which the reader confirms the password. */
  to: string
}

export function ConfirmButton({ to }: ConfirmProps) {
  return (
    <LinkButton look="primary" to={to}>
      Confirm your password
    </LinkButton>
  )
}

/** The banner of a page whose buttons need a fresh proof. */
export function ConfirmBanner({ to, title }: ConfirmProps & { title: string }) {
  return <Banner tone="turn" title={title} action={<ConfirmButton to={to} />} />
}

interface LockedCardProps extends ConfirmProps {
  title: string
  id?: string
  children?: string
}

/** Takes the place of a form that needs a fresh proof. */
export function LockedCard({
  title,
  id = 'locked',
  to,
  children = 'Confirm your password and authenticator code first.',
}: LockedCardProps) {
  return (
    <Card padded id={id} title={title}>
      <p className="muted">{children}</p>
      <ConfirmButton to={to} />
    </Card>
  )
}
