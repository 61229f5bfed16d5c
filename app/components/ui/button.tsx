import { Link, useNavigation } from '@remix-run/react'
import type { ComponentProps, ReactNode } from 'react'

export type ButtonLook = 'primary' | 'danger' | 'plain' | 'outline'
type Size = 'sm' | 'md' | 'lg'

interface Shape {
  look?: ButtonLook
  size?: Size
  /** Square, holds an icon only; give it an aria-label. */
  icon?: boolean
}

function classes({ look = 'outline', size = 'md', icon = false }: Shape, more = '') {
  const parts = ['btn', look === 'outline' ? '' : look, size === 'md' ? '' : size, icon ? 'icon' : '', more]
  return parts.filter(Boolean).join(' ')
}

export function Button({
  look,
  size,
  icon,
  className,
  type = 'button',
  ...rest
}: Shape & ComponentProps<'button'>) {
  return <button {...rest} type={type} className={classes({ look, size, icon }, className)} />
}

export function LinkButton({ look, size, icon, className, ...rest }: Shape & ComponentProps<typeof Link>) {
  return <Link {...rest} className={classes({ look, size, icon }, className)} />
}

interface SubmitProps extends Shape, Omit<ComponentProps<'button'>, 'type'> {
  /** Said while the form is on its way. */
  busy?: ReactNode
}

/** Sends its form once: while one is on its way a second press does nothing, and the label says so. */
export function SubmitButton({
  busy,
  look = 'primary',
  size,
  icon,
  className,
  children,
  ...rest
}: SubmitProps) {
  const navigation = useNavigation()
  const ours = rest.name === undefined || navigation.formData?.get(rest.name) === rest.value
  const sending = navigation.state !== 'idle' && navigation.formMethod === 'POST' && ours
  return (
    <button
      {...rest}
      type="submit"
      className={classes({ look, size, icon }, className)}
      aria-busy={sending || undefined}
      onClick={(event) => {
        // The second press of a double click can come before the first has been rendered.
        if (sending || event.detail > 1) event.preventDefault()
        else rest.onClick?.(event)
      }}
    >
      {sending ? (busy ?? children) : children}
    </button>
  )
}
