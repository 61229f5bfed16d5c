/**
 * The only way to clinical data: named prepared statements, each told of the dataset it touches, so that
 * a test can listen and fail on a statement of another practice's dataset.
 */
import type pg from 'pg'
import { asProblem } from '../contract/http/problems.ts'
import { type CopyLines, copyIn } from './copy.ts'
import { waitForStatements } from './pool.ts'

/** Told in place of a dataset by statements on what belongs to no practice: the dictionary, the list of datasets. */
export const noDataset = 0

interface StatementEvent {
  readonly name: string
  /** The dataset touched, or `noDataset`. */
  readonly datasetId: number
}

type StatementListener = (event: StatementEvent) => void

export interface Statement {
  /** Prepared under this name (63 bytes at most); one text per name. Unnamed when the text is made of varying parts. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** For each sort or hash of one statement. */
const longWorkMemory = '64MB'

type Connection = Pick<pg.Pool | pg.PoolClient, 'query'>

export interface Statements {
  run<Row extends pg.QueryResultRow>(
    datasetId: number,
    statement: Statement,
    on?: Connection,
  ): Promise<pg.QueryResult<Row>>
  /** One statement for several who asked at the same time; each one's dataset is told. */
  runForMany<Row extends pg.QueryResultRow>(
    datasetIds: readonly number[],
    statement: Statement,
  ): Promise<pg.QueryResult<Row>>
  /** Rows in COPY's text format, see `copy-in`. */
  copyIn(datasetId: number, table: string, lines: CopyLines, client: pg.PoolClient): Promise<void>
  /** `work` in one transaction, rolled back when it throws. Statement limit in ms; 0 for none. */
  transaction<Result>(
    work: (client: pg.PoolClient) => Promise<Result>,
    options?: { isolation?: 'repeatable read'; statementTimeoutMs?: number },
  ): Promise<Result>
  /** Of a job: without the time limit of requests, and with memory to group millions of rows. About no one's dataset. */
  runLong<Row extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<Row>>
  /** @returns a function that stops listening. */
  onStatement(listener: StatementListener): () => void
}

export function createStatements(pool: pg.Pool): Statements {
  const listeners = new Set<StatementListener>()

  const statements: Statements = {
    async run(datasetId, { name, text, values }, on = pool) {
      for (const listener of listeners) listener({ name, datasetId })
      try {
        return await on.query({ name, text, values: [...values] })
      } catch (error) {
        throw asProblem(error)
      }
    },

    async runForMany(datasetIds, { name, text, values }) {
      for (const datasetId of datasetIds) {
        for (const listener of listeners) listener({ name, datasetId })
      }
      try {
        return await pool.query({ name, text, values: [...values] })
      } catch (error) {
        throw asProblem(error)
      }
    },

    async copyIn(datasetId, table, lines, client) {
      for (const listener of listeners) listener({ name: `copy:${table.split(' ')[0]}`, datasetId })
      try {
        await copyIn(client, table, lines)
      } catch (error) {
        throw asProblem(error)
      }
    },

    async transaction(work, options = {}) {
      const client = await pool.connect().catch((error: unknown) => {
        throw asProblem(error)
      })
      let broken: Error | undefined
      let restoreWait: (() => void) | undefined
      try {
        await client.query(options.isolation ? 'BEGIN ISOLATION LEVEL REPEATABLE READ' : 'BEGIN')
        if (options.statementTimeoutMs !== undefined) {
          restoreWait = waitForStatements(client, options.statementTimeoutMs)
          await client.query(`SET LOCAL statement_timeout = ${Math.trunc(options.statementTimeoutMs)}`)
        }
        const result = await work(client)
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK').catch((lost: Error) => {
          broken = lost
        })
        throw asProblem(error)
      } finally {
        restoreWait?.()
        client.release(broken)
      }
    },

    runLong({ name, text, values }) {
      return statements.transaction(
        async (client) => {
          await client.query(`SET LOCAL work_mem = '${longWorkMemory}'`)
          return statements.run(noDataset, { name, text, values }, client)
        },
        { statementTimeoutMs: 0 },
      )
    },

    onStatement(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return statements
}

/** Parameters of a statement in the making. */

/** Binds a value and gives its place, `$3`. */
export type Bind = (value: unknown) => string

export function createBinds(): { bind: Bind; values: unknown[] } {
  const values: unknown[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}

/**
 * Places at which the planner does not look, so that it keeps one plan for all values. Where it sees that a value is
 * rare it takes that plan for dear, and plans each call anew, which takes longer than the call. A place without a type
 * is text.
 */
export function unforeseen(bind: Bind): Bind {
  return (value) => `(SELECT ${bind(value)})`
}
