/** What the elements of a guide become; vite.config.ts hands this module to the compiler of MDX. */
import { Link, useRouteLoaderData } from '@remix-run/react'
import { Children, type ComponentProps, isValidElement, type ReactNode } from 'react'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Switcher } from '../../components/ui/switcher.tsx'
import { LanguageTabs } from '../../shared/snippets/language-tabs.tsx'
import type { SmartStepCode } from '../../shared/snippets/smart/smart-snippets.server.ts'
import { StepTabs } from '../../shared/snippets/smart/step-tabs.tsx'
import type { Snippet as CodeSnippet } from '../../shared/snippets/snippet.ts'
import { type Addresses, placeAddresses } from './addresses.ts'
import { anchorOf } from './anchor.ts'
import { ArchitectureDiagram } from './architecture-diagram.tsx'
import { FactsTable } from './facts-table.tsx'
import { ShownWith } from './own-choice.tsx'

export function useMDXComponents() {
  return parts
}

const parts = {
  h1: ({ children }: ComponentProps<'h1'>) => (
    <>
      <h1>{children}</h1>
      <ShownWith />
    </>
  ),
  h2: ({ children }: ComponentProps<'h2'>) => <Heading as="h2">{children}</Heading>,
  h3: ({ children }: ComponentProps<'h3'>) => <Heading as="h3">{children}</Heading>,
  a: GuideLink,
  code: InlineCode,
  pre: Snippet,
  Languages,
  Facts: FactsTable,
  Steps: GuideSteps,
  Architecture: ArchitectureDiagram,
}

function Heading({ as: Level, children }: { as: 'h2' | 'h3'; children: ReactNode }) {
  const id = anchorOf(textOf(children))
  return (
    <Level id={id}>
      {children}
      <a className="anchor" href={`#${id}`} aria-label={`Link to: ${textOf(children)}`}>
        #
      </a>
    </Level>
  )
}

/** Of a line; the code of a block is read by the block. */
function InlineCode({ children }: ComponentProps<'code'>) {
  const addresses = useAddresses()
  return <code>{addresses ? placeAddresses(textOf(children), addresses) : children}</code>
}

interface FrameData {
  readonly addresses: Addresses
  /** Commands in other languages, by the command as it is shown. */
  readonly snippets: Readonly<Record<string, readonly CodeSnippet[]>>
  /** Code for each step of an app, by the kind of app. */
  readonly steps: Readonly<Record<string, readonly SmartStepCode[]>>
}

function useAddresses(): Addresses | undefined {
  return (useRouteLoaderData('docs-frame') as FrameData | undefined)?.addresses
}

function useSnippets(command: string): readonly CodeSnippet[] {
  return (useRouteLoaderData('docs-frame') as FrameData | undefined)?.snippets[command] ?? []
}

/** Where a guide says `<Steps of="…" />`. */
function GuideSteps({ of }: { of: string }) {
  const data = useRouteLoaderData('docs-frame') as FrameData | undefined
  return <StepTabs label={`Step of a ${of} app`} steps={data?.steps[of] ?? []} />
}

/** Pages of ours without a new document; what a loader alone answers, and other sites, with one. */
function GuideLink({ href = '', children }: ComponentProps<'a'>) {
  const isPage = href.startsWith('/') && !/\.\w+($|#)/.test(href)
  return isPage ? <Link to={href}>{children}</Link> : <a href={href}>{children}</a>
}

const languages: Record<string, string> = {
  sh: 'Terminal',
  ts: 'TypeScript',
  js: 'JavaScript',
  py: 'Python',
  json: 'JSON',
  http: 'HTTP',
}

function Snippet({ children }: ComponentProps<'pre'>) {
  const { text, bar } = useCode(children)
  const others = useSnippets(text)
  // Long enough to tell two commands of a page apart.
  const name = text.replace(/\s+/g, ' ').slice(0, 240)
  if (others.length > 0)
    return <LanguageTabs of={name} snippets={[{ language: 'curl', label: bar, code: text }, ...others]} />
  return (
    <CodeBlock label={`${bar}: ${name}`} bar={bar} copy={text}>
      {text}
    </CodeBlock>
  )
}

/** The same program in several languages: the blocks that `languageTabs` in vite.config.ts puts together. */
function Languages({ children }: { children: ReactNode }) {
  const panes = Children.toArray(children)
    .filter((child) => isValidElement<ComponentProps<'pre'>>(child))
    .map((child) => ({ label: codeIn(child.props.children).bar, content: child }))
  return <Switcher label="Language of the program" panes={panes} />
}

function useCode(children: ReactNode): { text: string; bar: string } {
  const addresses = useAddresses()
  const { written, bar } = codeIn(children)
  return { text: addresses ? placeAddresses(written, addresses) : written, bar }
}

/** @param children of a `pre`: its one `code` */
function codeIn(children: ReactNode): { written: string; bar: string } {
  const code = isValidElement<{ className?: string; children?: ReactNode }>(children) ? children : null
  const language = /language-(\w+)/.exec(code?.props.className ?? '')?.[1] ?? ''
  return { written: textOf(code?.props.children).trimEnd(), bar: languages[language] ?? 'Text' }
}

function textOf(node: ReactNode): string {
  return Children.toArray(node)
    .map((child) => {
      if (isValidElement<{ children?: ReactNode }>(child)) return textOf(child.props.children)
      return typeof child === 'string' || typeof child === 'number' ? `${child}` : ''
    })
    .join('')
}
