/** Parts of most pages: the head and its tabs, buttons, cards and their empty states, banners, facts, tags and times. */
import { Link, useLocation, useNavigation } from '@remix-run/react'
import { type ComponentProps, Fragment, type ReactNode, useId } from 'react'
import { date, dateTime, dateTimeSeconds, time } from '../../lib/dates.ts'
import { useRoot } from '../../lib/root-data.ts'
import { Ban, CircleCheck, CircleDot, Clock, type LucideIcon, TriangleAlert } from './icons.ts'

interface PageHeadProps {
  title: ReactNode
  children?: ReactNode
  /** The page's main action. */
  action?: ReactNode
  /** The page that a Back link leads to. */
  back?: string
}

export function PageHeader({ title, children, action, back }: PageHeadProps) {
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        {children && <p>{children}</p>}
      </div>
      {action}
      {back && (
        <LinkButton look="plain" to={back}>
          Back
        </LinkButton>
      )}
    </div>
  )
}

interface Tab {
  to: string
  label: string
  count?: number
  /** By default, whether the tab's path is the page's. */
  current?: boolean
}

/** Views of one list, or pages of one subject. They are links, so each has an address and works without a script. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const { pathname } = useLocation()
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ to, label, count, current = to === pathname }) => (
        <Link key={to} to={to} aria-current={current ? 'page' : undefined} preventScrollReset>
          {label} {count !== undefined && <span className="n">{count}</span>}
        </Link>
      ))}
    </nav>
  )
}

export type ButtonLook = 'primary' | 'danger' | 'plain' | 'outline'
type ButtonSize = 'sm' | 'md' | 'lg'

interface ButtonShape {
  look?: ButtonLook
  size?: ButtonSize
  /** Square, holds an icon only; give it an aria-label. */
  icon?: boolean
}

function buttonClasses({ look = 'outline', size = 'md', icon = false }: ButtonShape, extra = '') {
  const parts = ['btn', look === 'outline' ? '' : look, size === 'md' ? '' : size, icon ? 'icon' : '', extra]
  return parts.filter(Boolean).join(' ')
}

export function Button({
  look,
  size,
  icon,
  className,
  type = 'button',
  ...rest
}: ButtonShape & ComponentProps<'button'>) {
  return <button {...rest} type={type} className={buttonClasses({ look, size, icon }, className)} />
}

export function LinkButton({
  look,
  size,
  icon,
  className,
  ...rest
}: ButtonShape & ComponentProps<typeof Link>) {
  return <Link {...rest} className={buttonClasses({ look, size, icon }, className)} />
}

interface SubmitProps extends ButtonShape, Omit<ComponentProps<'button'>, 'type'> {
  /** The label while the form is being sent. */
  busy?: ReactNode
}

/** Sends its form once: while it is being sent, a second press does nothing. */
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
  const isThisButton = rest.name === undefined || navigation.formData?.get(rest.name) === rest.value
  const sending = navigation.state !== 'idle' && navigation.formMethod === 'POST' && isThisButton
  return (
    <button
      {...rest}
      type="submit"
      className={buttonClasses({ look, size, icon }, className)}
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

interface CardProps {
  title?: ReactNode
  /** The title's id, for links to it. */
  id?: string
  /** The name of a card without a title, for screen readers. */
  label?: string
  /** Shown beside the title, such as a link or a button. */
  aside?: ReactNode
  /** For text and forms. Without it, the card's lists and tables reach its edges. */
  padded?: boolean | 'tight' | 'gap-5'
  role?: 'alert' | 'status'
  children?: ReactNode
}

export function Card({ title, id, label, aside, padded = false, role, children }: CardProps) {
  const generated = useId()
  const titleId = id ?? generated
  const heading = title !== undefined && <h2 id={titleId}>{title}</h2>
  const look = ['card', padded && 'pad stack', typeof padded === 'string' && padded]
  return (
    <section
      className={look.filter(Boolean).join(' ')}
      role={role}
      aria-label={label}
      aria-labelledby={heading ? titleId : undefined}
    >
      {padded || !heading ? (
        heading
      ) : (
        <div className="head">
          {heading}
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}

interface FactsProps {
  /** Label → value. A value that is missing, false or empty is left out with its label. */
  of: Readonly<Record<string, ReactNode>>
  className?: string
  /** Each value below its label, in boxes beside each other. */
  boxes?: boolean
}

/** A list of labels with their values. */
export function Facts({ of, className = 'facts', boxes = false }: FactsProps) {
  const known = Object.entries(of).filter(([, value]) => value != null && value !== false && value !== '')
  const Pair = boxes ? 'div' : Fragment
  return (
    <dl className={className}>
      {known.map(([label, value]) => (
        <Pair key={label}>
          <dt className={boxes ? 'small muted' : undefined}>{label}</dt>
          <dd>{value}</dd>
        </Pair>
      ))}
    </dl>
  )
}

interface EmptyProps {
  icon: LucideIcon
  title: string
  /** What this is and why it is empty. */
  children: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <section className="card empty">
      <Icon className="i" />
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </section>
  )
}

export interface BannerProps {
  /** `turn`: the reader must act. `wait`: another person must. `bad`: it failed. */
  tone: 'turn' | 'wait' | 'bad' | 'ok'
  title: ReactNode
  /** Text with inline elements; it becomes one paragraph. */
  children?: ReactNode
  action?: ReactNode
  icon?: LucideIcon
}

const bannerIcons: Record<BannerProps['tone'], LucideIcon> = {
  turn: CircleDot,
  wait: Clock,
  bad: TriangleAlert,
  ok: CircleDot,
}

/** Says what is next, who must act, by when, and what happens otherwise. A page has at most one, under its title. */
export function Banner({ tone, title, children, action, icon }: BannerProps) {
  const Icon = icon ?? bannerIcons[tone]
  const titleId = useId()
  return (
    <section
      className={tone === 'wait' ? 'banner' : `banner ${tone}`}
      aria-labelledby={titleId}
      role={tone === 'bad' ? 'alert' : undefined}
    >
      <Icon className="i" />
      <div>
        <p id={titleId}>
          {tone === 'turn' && <span className="who">Your turn. </span>}
          <strong>{title}</strong>
        </p>
        {children && <p>{children}</p>}
      </div>
      {action}
    </section>
  )
}

export type Tone = 'quiet' | 'ok' | 'turn' | 'bad' | 'teal'

const tagIcons: Record<Tone, LucideIcon> = {
  quiet: Ban,
  ok: CircleCheck,
  turn: Clock,
  bad: TriangleAlert,
  teal: CircleDot,
}

interface TagProps {
  tone?: Tone
  icon?: LucideIcon
  /** Has no background, for dense rows. */
  bare?: boolean
  children: ReactNode
}

/** A state as icon and word, never by color alone. */
export function Tag({ tone = 'quiet', icon, bare, children }: TagProps) {
  const Icon = icon ?? tagIcons[tone]
  return (
    <span className={['tag', tone === 'quiet' ? '' : tone, bare ? 'bare' : ''].filter(Boolean).join(' ')}>
      <Icon className="i" />
      {children}
    </span>
  )
}

const formats = {
  full: dateTime,
  seconds: dateTimeSeconds,
  date,
  time,
  deadline: dateTime,
}

interface MomentProps {
  at: Date | string
  /**
   * `full` names weekday, hour and zone. `deadline`: the end of a business day, or of an agreement's day, in the zone
   * in which it was counted, as everybody else reads it too. `date`: a day that is past, where the hour does not
   * matter; its zone shows on hovering. What ends or is due is never a bare date: the day may be another one elsewhere.
   */
  as?: keyof typeof formats
}

/** A point in time, in the visitor's zone. */
export function Moment({ at, as = 'full' }: MomentProps) {
  const root = useRoot()
  const zone = as === 'deadline' ? root.officeZone : root.zone
  return (
    <time dateTime={new Date(at).toISOString()} title={as === 'date' ? dateTime(at, zone) : undefined}>
      {formats[as](at, zone)}
    </time>
  )
}
