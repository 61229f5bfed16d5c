/** What the tables of workflows promise is made by somebody: every event has a caller, and every email a sender. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { registry } from '../../emails/registry.ts'
import { agreementWorkflow } from '../../server/contract/workflows/agreement-workflow.ts'
import { productionKeyWorkflow } from '../../server/contract/workflows/production-key-workflow.ts'
import { registrationWorkflow } from '../../server/contract/workflows/registration-workflow.ts'
import { sandboxKeyWorkflow } from '../../server/contract/workflows/sandbox-key-workflow.ts'
import { systemAuthorizationWorkflow } from '../../server/contract/workflows/system-authorization-workflow.ts'
import {
  accountWorkflow,
  invitationWorkflow,
  keyDraftWorkflow,
  keyWorkflow,
  type Transition,
} from '../../server/contract/workflows/workflows.ts'
import { rootDir } from '../../server/root-dir.ts'
import { listTrackedFiles } from '../support/tracked-files.ts'

/** The tables that the engine makes the steps of, and where their verbs are. */
const onEngine: readonly (readonly [folder: string, rows: readonly Transition[]])[] = [
  ['agreements', agreementWorkflow.rows],
  ['keys', sandboxKeyWorkflow.rows],
  ['production-keys', productionKeyWorkflow.rows],
  ['registrations', registrationWorkflow.rows],
  ['system-authorizations', systemAuthorizationWorkflow.rows],
]
const madeByHand: readonly (readonly Transition[])[] = [
  accountWorkflow.rows,
  invitationWorkflow.rows,
  keyDraftWorkflow.rows,
  keyWorkflow.rows,
]

/** Functions that make a step, and the place of the event among their arguments. */
const eventArgument: Readonly<Record<string, number>> = { transition: 2, transitionIn: 3, begin: 2 }

const sources = listTrackedFiles()
  .filter((file) => /^server\/(?!contract\/).*(?<!\.test)\.ts$/.test(file))
  .map((file) => ({ file, tree: parse(readFileSync(join(rootDir, file), 'utf8')) }))

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true)
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** Strings that are values: neither a type nor the name of a property, such as that of an email's content. */
function stringsIn(tree: ts.Node): string[] {
  const found: string[] = []
  walk(tree, (node) => {
    const isName =
      ts.isPropertyAssignment(node.parent ?? node) && node === (node.parent as ts.PropertyAssignment).name
    if (ts.isStringLiteral(node) && !isName && !ts.isLiteralTypeNode(node.parent)) found.push(node.text)
  })
  return found
}

/** Of the types as well: the events that a parameter may be. */
function literalTypesIn(tree: ts.Node): string[] {
  const found: string[] = []
  walk(tree, (node) => {
    if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) found.push(node.literal.text)
  })
  return found
}

/** Events that a file has made: those written in its calls; where a call names a variable, any string of the file. */
function eventsMadeIn(tree: ts.SourceFile): string[] {
  const made: string[] = []
  walk(tree, (node) => {
    if (!ts.isCallExpression(node)) return
    const name = ts.isIdentifier(node.expression) ? node.expression.text : ''
    if (name === 'recordMany') made.push(...stringsIn(tree))
    const event = node.arguments[eventArgument[name] ?? -1]
    if (event && ts.isIdentifier(event)) made.push(...stringsIn(tree), ...literalTypesIn(tree))
    else if (event) made.push(...stringsIn(event))
  })
  return made
}

/** Templates that a file names as such; where it names a variable, any string of the file. */
function templatesIn(tree: ts.SourceFile): string[] {
  const sent: string[] = []
  walk(tree, (node) => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'template')
      sent.push(...stringsIn(ts.isIdentifier(node.initializer) ? tree : node.initializer))
    if (ts.isShorthandPropertyAssignment(node) && node.name.text === 'template') sent.push(...stringsIn(tree))
  })
  return sent
}

describe.each(onEngine)('the workflow of %s', (folder, rows) => {
  test('has a caller for each event', () => {
    const made = new Set(
      sources
        .filter(({ file }) => file.startsWith(`server/domain/${folder}/`) && !file.endsWith('/transition.ts'))
        .flatMap(({ tree }) => eventsMadeIn(tree)),
    )

    expect([...new Set(rows.map(({ event }) => event))].filter((event) => !made.has(event))).toEqual([])
  })
})

describe('an email', () => {
  const byEngine = new Set(
    onEngine.flatMap(([, rows]) => rows.flatMap(({ emails = {} }) => Object.keys(emails))),
  )
  const byHand = new Set(sources.flatMap(({ tree }) => templatesIn(tree)))

  test('of a workflow on the engine is one of its rows, and of another table is sent by the domain', () => {
    const listed = madeByHand.flatMap((rows) => rows.flatMap(({ mails = [] }) => mails))
    const withMails = onEngine.flatMap(([, rows]) => rows.filter(({ mails }) => mails))

    expect(withMails).toEqual([])
    expect(listed.filter((name) => !byHand.has(name))).toEqual([])
  })

  test('is sent by somebody', () => {
    expect(Object.keys(registry).filter((name) => !byEngine.has(name) && !byHand.has(name))).toEqual([])
  })
})
