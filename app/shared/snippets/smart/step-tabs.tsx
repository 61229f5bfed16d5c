import { Switcher } from '../../../components/ui/switcher.tsx'
import { LanguageTabs } from '../language-tabs.tsx'
import type { shownSteps } from './smart-snippets.server.ts'

export type ShownStep = ReturnType<typeof shownSteps>[number]

/** The steps of an app, one in view, each in every language. */
export function StepTabs({ label, steps }: { label: string; steps: readonly ShownStep[] }) {
  return (
    <Switcher
      label={label}
      panes={steps.map(({ title, about, snippets }, place) => ({
        label: `${place + 1}. ${title}`,
        content: (
          <div className="stack">
            <p>{about}</p>
            <LanguageTabs of={title} snippets={snippets} />
          </div>
        ),
      }))}
    />
  )
}
