/**
 * The only way to clinical data: named prepared statements, each with the dataset that it uses, so that a test can
 * listen and fail on a statement for another practice's dataset.
 */
import type pg from 'pg'
import { asProblem } from '../contract/http/problems.ts'
import { type CopyLines, copyIn } from './copy.ts'
import { waitForStatements } from './pool.ts'

/** The dataset id of statements on data that belongs to no practice, such as the dictionary and the list of datasets. */
export const noDataset = 0

interface StatementEvent {
  readonly name: string
  /** The dataset touched, or `noDataset`. */
  readonly datasetId: number
}

type StatementListener = (event: StatementEvent) => void

export interface Statement {
  /** Name of the prepared statement, at most 63 bytes, with one text per name. Empty if the text varies too much. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** Memory for each sort or hash of a long statement. */
const longWorkMemory = '64MB'

type Connection = Pick<pg.Pool | pg.PoolClient, 'query'>

export type Run = <Row extends pg.QueryResultRow>(
  datasetId: number,
  statement: Statement,
) => Promise<pg.QueryResult<Row>>

/** A running transaction: `run` sends statements of the store, `client` any others. */
export type Transaction = { readonly run: Run; readonly client: pg.PoolClient }

export type Statements = ReturnType<typeof createStatements>

export function createStatements(pool: pg.Pool) {
  const listeners = new Set<StatementListener>()

  function notify(name: string, datasetIds: readonly number[]): void {
    for (const datasetId of datasetIds) for (const listener of listeners) listener({ name, datasetId })
  }

  /** Runs one statement for callers with different datasets. Listeners hear of each dataset. */
  async function runForMany<Row extends pg.QueryResultRow>(
    datasetIds: readonly number[],
    { name, text, values }: Statement,
    on: Connection = pool,
  ): Promise<pg.QueryResult<Row>> {
    notify(name, datasetIds)
    try {
      return await on.query<Row>({ name, text, values: [...values] })
    } catch (error) {
      throw asProblem(error)
    }
  }

  const runOn =
    (on: Connection): Run =>
    (datasetId, statement) =>
      runForMany([datasetId], statement, on)

  /** Copies rows in COPY's text format (copy.ts), within a transaction. */
  function copyLines(datasetId: number, table: string, lines: CopyLines, client: pg.PoolClient) {
    notify(`copy:${table.split(' ')[0]}`, [datasetId])
    return copyIn(client, table, lines)
  }

  /** Runs `work` in a transaction, which is rolled back if it throws. @param options 0 means no statement timeout */
  async function transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: { isolation?: 'repeatable read'; statementTimeoutMs?: number } = {},
  ): Promise<Result> {
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
      const result = await work({ run: runOn(client), client })
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
  }

  /** Runs a job's statement without a time limit and with memory to group millions of rows. It belongs to no dataset. */
  function runLong<Row extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<Row>> {
    return transaction(
      async ({ run, client }) => {
        await client.query(`SET LOCAL work_mem = '${longWorkMemory}'`)
        return run<Row>(noDataset, statement)
      },
      { statementTimeoutMs: 0 },
    )
  }

  /** @returns a function that stops listening. */
  function onStatement(listener: StatementListener): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  return { run: runOn(pool), runForMany, copyIn: copyLines, transaction, runLong, onStatement }
}

/** Adds a value to the parameters of a statement and returns its placeholder, such as `$3`. */
export type Bind = (value: unknown) => string

export function createBinds(): { bind: Bind; values: unknown[] } {
  const values: unknown[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}
