/** The lab's services: what developers try out, and what it lets them see. */
import { withCore } from '../domain/core.ts'
import * as inferno from './apps/inferno.ts'
import * as sampleApps from './apps/sample-apps.ts'
import * as explorerCalls from './explorer/explorer-calls.ts'
import { createExplorerChoices } from './explorer/explorer-choices.ts'
import * as explorerHistory from './explorer/explorer-history.ts'
import { tidyKeys, use as useKey } from './explorer/explorer-keys.ts'
import { list as listPractices } from './explorer/explorer-practices.ts'
import { tidyTokens } from './explorer/explorer-token-people.ts'
import * as explorerTokens from './explorer/explorer-tokens.ts'
import { createActiveFaults } from './faults/active-faults.ts'
import * as faultAdmin from './faults/fault-admin.ts'
import { createFaults } from './faults/inject-fault.ts'
import type { LabCore } from './lab-core.ts'
import * as simulations from './launches/apply-simulation.ts'
import * as launchLab from './launches/launch-lab.ts'
import { approve, deny, findStandIn } from './launches/launched-consent.ts'
import * as openLaunch from './launches/open-launch.ts'
import * as openLog from './launches/open-log.ts'
import { noteCall } from './launches/open-log.ts'
import { clinicians } from './launches/people.ts'
import * as runs from './sandbox/change-runs.ts'
import * as changes from './sandbox/changes.ts'
import * as overview from './sandbox/overview.ts'
import * as people from './sandbox/people.ts'
import * as signIns from './sandbox/sign-ins.ts'
import * as appTokens from './tokens/app-tokens.ts'

export function bindLab(core: LabCore) {
  const active = createActiveFaults(core)
  return {
    appTokens: withCore(core, appTokens),
    explorerCalls: withCore(core, explorerCalls),
    explorerChoices: { ...createExplorerChoices(core), ...withCore(core, { clinicians }) },
    explorerHistory: withCore(core, explorerHistory),
    explorerKeys: withCore(core, { use: useKey, listPractices, tidyKeys }),
    explorerTokens: withCore(core, { ...explorerTokens, tidyTokens }),
    faultAdmin: withCore({ ...core, active }, faultAdmin),
    faults: createFaults({ active, pause: core.pause }),
    inferno: withCore(core, inferno),
    launchLab: withCore(core, launchLab),
    sampleApps: withCore(core, sampleApps),
    sandbox: {
      changes: withCore(core, changes),
      runs: withCore(core, runs),
      overview: withCore(core, overview),
      people: withCore(core, people),
      signIns: withCore(core, signIns),
    },
    exchanges: withCore(core, { noteCall }),
    launchedConsent: withCore(core, { approve, deny }),
    openLaunches: withCore(core, { ...openLaunch, findStandIn, ...openLog }),
    simulations: withCore(core, simulations),
  }
}
