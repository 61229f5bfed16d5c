import type { ReactNode } from 'react'
import { Ban, CircleCheck, CircleDot, Clock, type LucideIcon, TriangleAlert } from './icons.ts'

export type Tone = 'quiet' | 'ok' | 'turn' | 'bad' | 'teal'

const icons: Record<Tone, LucideIcon> = {
  quiet: Ban,
  ok: CircleCheck,
  turn: Clock,
  bad: TriangleAlert,
  teal: CircleDot,
}

interface TagProps {
  tone?: Tone
  icon?: LucideIcon
  /** Without its ground, inside dense rows. */
  bare?: boolean
  children: ReactNode
}

/** State of one thing: icon and word, never color alone. */
export function Tag({ tone = 'quiet', icon, bare, children }: TagProps) {
  const Icon = icon ?? icons[tone]
  return (
    <span className={['tag', tone === 'quiet' ? '' : tone, bare ? 'bare' : ''].filter(Boolean).join(' ')}>
      <Icon className="i" />
      {children}
    </span>
  )
}
