/** Every step of an app in every language, as pages show them. */
import {
  type SmartStep,
  type SnippetApp,
  smartSteps,
  stepsOf,
  workOf,
} from '../../../../server/contract/lab/smart-snippets.ts'
import { csharp } from './csharp.ts'
import { curl } from './curl.ts'
import { java } from './java.ts'
import { javascript } from './javascript.ts'
import { kotlin } from './kotlin.ts'
import { python } from './python.ts'
import { swift } from './swift.ts'
import { type SmartLanguage, type SnippetWriter, smartLanguages, writeStep } from './writer.ts'

export interface SmartSnippet {
  readonly language: SmartLanguage
  readonly label: string
  readonly platform: string
  readonly code: string
}

export interface SmartStepCode {
  readonly step: SmartStep
  readonly title: string
  readonly about: string
  readonly snippets: readonly SmartSnippet[]
}

const writers: Readonly<Record<SmartLanguage, SnippetWriter>> = {
  curl,
  javascript,
  python,
  csharp,
  java,
  swift,
  kotlin,
}

export function smartSnippets(app: SnippetApp): SmartStepCode[] {
  return stepsOf(app).map((step) => ({
    step,
    title: smartSteps[step].title,
    about: smartSteps[step].about,
    snippets: smartLanguages.map((language) => ({
      language,
      label: writers[language].label,
      platform: writers[language].platform,
      code: writeStep(writers[language], workOf(step, app)),
    })),
  }))
}
