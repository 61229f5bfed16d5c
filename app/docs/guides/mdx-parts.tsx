/** What the elements of a guide become; vite.config.ts hands this module to the compiler of MDX. */
import { Link, useRouteLoaderData } from '@remix-run/react'
import { Children, type ComponentProps, isValidElement, type ReactNode } from 'react'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Switcher } from '../../components/ui/switcher.tsx'
import { type ShownStep, StepTabs } from '../../shared/snippets/smart/step-tabs.tsx'
import { type Addresses, anchorOf, placeAddresses } from './addresses.ts'
import { ArchitectureDiagram } from './architecture-diagram.tsx'
import { FactsTable } from './facts-table.tsx'
import type { ShownCode } from './guide-codes.server.ts'
import { ShownWith } from './own-choice.tsx'
import { CodeWithResponse } from './shown-code.tsx'

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
    // The link has a name of its own, which is no part of the heading's.
    <Level id={id} aria-labelledby={`${id}-text`}>
      <span id={`${id}-text`}>{children}</span>
      <a className="anchor" href={`#${id}`} aria-label={`Link to: ${textOf(children)}`}>
        #
      </a>
    </Level>
  )
}

/** Of a line; the code of a block is read by the block. */
function InlineCode({ children }: ComponentProps<'code'>) {
  const addresses = useFrame()?.addresses
  return <code>{addresses ? placeAddresses(textOf(children), addresses) : children}</code>
}

interface FrameData {
  readonly addresses: Addresses
  /** Every block of code of the guide, in its order. */
  readonly codes: readonly ShownCode[]
  /** Code for each step of an app, by the kind of app. */
  readonly steps: Readonly<Record<string, readonly ShownStep[]>>
}

function useFrame(): FrameData | undefined {
  return useRouteLoaderData('docs-frame') as FrameData | undefined
}

/** Where a guide says `<Steps of="…" />`. */
function GuideSteps({ of }: { of: string }) {
  const data = useFrame()
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
  const { place, bar } = codeIn(children)
  const code = useFrame()?.codes[place]
  if (!code) return <PlainCode>{children}</PlainCode>
  return <CodeWithResponse code={code} bar={bar} />
}

/** In a list or a quotation, where blocks have no numbers. */
function PlainCode({ children }: ComponentProps<'pre'>) {
  const addresses = useFrame()?.addresses
  const code = isValidElement<{ children?: ReactNode }>(children)
    ? textOf(children.props.children).trimEnd()
    : ''
  const text = addresses ? placeAddresses(code, addresses) : code
  const { bar } = codeIn(children)
  return (
    <CodeBlock label={`${bar}: ${text.slice(0, 240)}`} bar={bar} copy={text}>
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

/** @param children of a `pre`: its one `code`, which vite.config.ts has numbered */
function codeIn(children: ReactNode): { place: number; bar: string } {
  const props = isValidElement<{ className?: string; 'data-place'?: string }>(children) ? children.props : {}
  const language = /language-(\w+)/.exec(props.className ?? '')?.[1] ?? ''
  return { place: Number(props['data-place'] ?? -1), bar: languages[language] ?? 'Text' }
}

function textOf(node: ReactNode): string {
  return Children.toArray(node)
    .map((child) => {
      if (isValidElement<{ children?: ReactNode }>(child)) return textOf(child.props.children)
      return typeof child === 'string' || typeof child === 'number' ? `${child}` : ''
    })
    .join('')
}
