/** What the steps of a registration are given. */
import type { JobQueue } from '../../mail/job-queue.ts'
import type { Clients } from '../clients/client-types.ts'
import type { Linter } from './lint/linter.ts'
import type { createSandboxClient } from './sandbox-client.ts'
import type { Core } from './transition.ts'

export type RegistrationDependencies = Core &
  Readonly<{
    jobs: JobQueue
    clients: Pick<Clients, 'create' | 'replace'>
    linter: Linter
    /** The terms of registration in force. */
    terms: { current(): { version: string; sha256: string } }
    logoAddress: (hash: string) => string
    /** The public directory of practices' bases. */
    directoryUrl: string
    randomBytes: (size: number) => Uint8Array
    sandboxClient: ReturnType<typeof createSandboxClient>
  }>
