import { useRouteLoaderData } from '@remix-run/react'
import { Switcher } from '../../components/ui/switcher.tsx'
import type { loader } from '../frame.route.tsx'
import { ShownFacts } from './facts-table.tsx'
import type { GuideBlock } from './guide-blocks.server.ts'
import { ShownWith } from './own-choice.tsx'
import { CodeWithResponse } from './shown-code.tsx'

/** A guide, from the blocks of the frame's loader. */
export default function Guide() {
  const blocks = useRouteLoaderData<typeof loader>('docs-frame')?.blocks ?? []
  const first = blocks.findIndex(({ kind }) => kind === 'code' || kind === 'languages')
  // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a guide never change their order
  return blocks.map((block, index) => <Block key={index} block={block} isFirst={index === first} />)
}

interface BlockProps {
  block: GuideBlock
  /** The guide's first code shows its response, and below it the source of its values. */
  isFirst: boolean
}

function Block(props: BlockProps) {
  return (
    <>
      <BlockContent {...props} />
      {props.isFirst && <ShownWith />}
    </>
  )
}

function BlockContent({ block, isFirst }: BlockProps) {
  switch (block.kind) {
    case 'text':
      return <Html html={block.html} />
    case 'code':
      return <CodeWithResponse code={block.code} bar={block.bar} unfolded={isFirst} />
    case 'languages': {
      const panes = block.codes.map(({ bar, code }) => ({
        label: bar,
        content: <CodeWithResponse code={code} bar={bar} />,
      }))
      return panes.length === 1 ? (
        panes[0]?.content
      ) : (
        <Switcher label="Language of the program" panes={panes} />
      )
    }
    case 'facts':
      return <ShownFacts facts={block.facts} />
  }
}

function Html({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: written by us, in docs/
  return <div className="guide-text" dangerouslySetInnerHTML={{ __html: html }} />
}
