/** Every step of an app in every language, as pages show them. */
import {
  type SnippetApp,
  smartSteps,
  stepsOf,
  workOf,
} from '../../../../server/contract/lab/smart-snippets.ts'
import { withColors } from '../highlight.server.ts'
import { curl } from './curl.ts'
import { java } from './java.ts'
import { javascript } from './javascript.ts'
import { python } from './python.ts'
import { type SmartLanguage, type SnippetWriter, smartLanguages, writeStep } from './writer.ts'

export type SmartStepCode = ReturnType<typeof smartSnippets>[number]

const writers: Readonly<Record<SmartLanguage, SnippetWriter>> = {
  curl,
  javascript,
  python,
  java,
}

/** As pages show them: without the text that their colors hold already. */
export function shownSteps(steps: readonly SmartStepCode[]) {
  return steps.map(({ step, title, about, snippets }) => ({
    step,
    title,
    about,
    snippets: snippets.map(({ language, label, platform, html }) => ({ language, label, platform, html })),
  }))
}

export function smartSnippets(app: SnippetApp) {
  return stepsOf(app).map((step) => ({
    step,
    title: smartSteps[step].title,
    about: smartSteps[step].about,
    snippets: withColors(
      smartLanguages.map((language) => ({
        language,
        label: writers[language].label,
        platform: writers[language].platform,
        code: writeStep(writers[language], workOf(step, app)),
      })),
    ),
  }))
}
