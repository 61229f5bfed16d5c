/** The laboratory of a developer organization: its sandbox practice, and what may be done with it. */
import { createSandboxChangeRuns } from './change-runs.ts'
import { createSandboxChanges } from './changes.ts'
import { createSandboxOverview } from './overview.ts'
import { createSandboxPeople } from './people.ts'
import { createSandboxReads, type SandboxReadsDependencies } from './sandbox-reads.ts'
import { createSandboxSignIns } from './sign-ins.ts'

type Dependencies = Parameters<typeof createSandboxChanges>[0] &
  Parameters<typeof createSandboxChangeRuns>[0] &
  Omit<Parameters<typeof createSandboxOverview>[0], 'changes'> &
  SandboxReadsDependencies &
  Parameters<typeof createSandboxSignIns>[0] &
  Omit<Parameters<typeof createSandboxPeople>[0], 'reads'>

export function createSandbox(dependencies: Dependencies) {
  const changes = createSandboxChanges(dependencies)
  const reads = createSandboxReads(dependencies)
  return {
    changes,
    runs: createSandboxChangeRuns(dependencies),
    overview: createSandboxOverview({ ...dependencies, changes }),
    people: createSandboxPeople({ ...dependencies, reads }),
    signIns: createSandboxSignIns(dependencies),
  }
}

export type Sandbox = ReturnType<typeof createSandbox>
