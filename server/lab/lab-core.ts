/** What the lab's verbs are given besides what those of the domain are. */
import type { CcdService } from '../ccd/ccd.ts'
import type { Core } from '../domain/core.ts'

export type LabCore = Core &
  Readonly<{
    ccd: CcdService
    /** Under which a document's page is shown. */
    ccdPolicy: string
    /** How long a request is made to wait. */
    pause: (milliseconds: number, signal: AbortSignal) => Promise<void>
  }>
