/** The laboratory of a developer organization: its sandbox practice, and what may be done with it. */
import { createSandboxChangeRuns } from './change-runs.ts'
import { createSandboxChanges } from './changes.ts'
import { createSandboxOverview } from './overview.ts'

type Dependencies = Parameters<typeof createSandboxChanges>[0] &
  Parameters<typeof createSandboxChangeRuns>[0] &
  Omit<Parameters<typeof createSandboxOverview>[0], 'changes'>

export function createSandbox(dependencies: Dependencies) {
  const changes = createSandboxChanges(dependencies)
  return {
    changes,
    runs: createSandboxChangeRuns(dependencies),
    overview: createSandboxOverview({ ...dependencies, changes }),
  }
}

export type Sandbox = ReturnType<typeof createSandbox>
