/** The laboratory of a developer organization: its sandbox practice, and what may be done with it. */
import { withCore } from '../../domain/core.ts'
import type { LabCore } from '../lab-core.ts'
import * as runs from './change-runs.ts'
import * as changes from './changes.ts'
import * as overview from './overview.ts'
import * as people from './people.ts'
import * as signIns from './sign-ins.ts'

export function bindSandbox(core: LabCore) {
  return {
    changes: withCore(core, changes),
    runs: withCore(core, runs),
    overview: withCore(core, overview),
    people: withCore(core, people),
    signIns: withCore(core, signIns),
  }
}
