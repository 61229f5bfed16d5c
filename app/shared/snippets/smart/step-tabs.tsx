import { Switcher } from '../../../components/ui/switcher.tsx'
import { LanguageTabs } from '../language-tabs.tsx'
import type { ShownSnippet } from '../snippet.ts'

export interface ShownStep {
  readonly step: string
  readonly title: string
  readonly about: string
  readonly snippets: readonly ShownSnippet[]
}

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
