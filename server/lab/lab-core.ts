/** What the lab's verbs are given besides what those of the domain are. */
import type { Core } from '../domain/core.ts'

export type LabCore = Core &
  Readonly<{
    /** How long a request is made to wait. */
    pause: (milliseconds: number, signal: AbortSignal) => Promise<void>
  }>
