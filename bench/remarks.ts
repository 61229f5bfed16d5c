/** What is to be said of an aim that is missed: by hand, and kept when RESULTS.md is written again. */
export type Remark = {
  /** Why it is missed. */
  why: string
  tried: string
  /** What would be needed to meet it. */
  needed: string
}

const read: Remark = {
  why:
    'The floor writes a fixed body and does nothing else. A read has to check limits and a credential, ask PostgreSQL, ' +
    'commit two rows of the record of access before it answers, and write a line of the log; half of its CPU is in ' +
    'Node, most of that in writing to sockets.',
  tried:
    'One row per credential in place of up to nine tables (decision 166), a statement of its own for a lone audit row ' +
    'and JSON for batches (167), a log line without redaction passes.',
  needed:
    'A record of access that is not committed for each response, or fewer system calls than Node makes.',
}

const page: Remark = {
  why: 'The stored texts are joined and never parsed: what costs is carrying them from PostgreSQL through Node to the socket.',
  tried: 'One ordered scan of the chart with its content, in place of a lookup for each resource (169).',
  needed: 'Bytes that pass from PostgreSQL to the socket without becoming strings of JavaScript in between.',
}

const growth: Remark = {
  why: 'What points at a resource is looked up in an index that grows deeper and is read from more places.',
  tried: 'One ordered scan for the chart itself (169), which is flat.',
  needed: 'An index of links that holds the owner of the chart, so that they lie together.',
}

/** By the name of the aim. */
export const remarks: Record<string, Remark> = {
  'FHIR read': read,
  'FHIR read, 1 connection': {
    ...read,
    why: `${read.why} Alone, nothing is shared: each read has a statement and a commit of its own.`,
  },
  'REST patient': {
    ...read,
    tried: `${read.tried} The stored record of a patient serves lists; for one patient it spares about 5 %.`,
  },
  'FHIR page of 50': page,
  'FHIR page with _revinclude': page,
  'FHIR $everything, about 140': page,
  'REST list of 50': {
    ...page,
    tried: 'Records stored with the patient, in the form of the REST API (169).',
    needed: 'Passing the stored records on as text: they are parsed and written again.',
  },
  'MCP search': {
    why: 'A call is JSON-RPC in HTTP, checked by the SDK and by the schemas of the tool, and its result is text and JSON.',
    tried: 'One server and transport for all requests (169): 205 to 85 µs of it.',
    needed: 'An SDK that validates less; a third of the rest is its garbage.',
  },
  'public page': {
    why:
      'A kept page passes the edge and its limits, and gets a nonce of its own; the kernel takes all of it, where the ' +
      'floor writes 2 KB.',
    tried:
      'Keeping pages with the places of their nonces, compressed (159); answering them in the process that has the port ' +
      '(207).',
    needed: 'A smaller page.',
  },
  'signed-in page': {
    why:
      'The dashboard asks the database some forty questions. By its profile React takes a quarter of the time in Node, ' +
      'Prisma and its driver a third, of which most is writing to the sockets of the database.',
    tried:
      'No count for a first page that is not full; one formatter per time zone in place of one per date; routes matched ' +
      'among those of the first segment (197), a seventh of the page; names for the statements of Prisma, which halve ' +
      'the time of PostgreSQL (206).',
    needed:
      'Fewer questions: relations read by a join, and the badge and the list of the inbox by one statement.',
  },
  import: {
    why: 'Each resource is parsed twice, checked, followed through its references and indexed; COPY only stores.',
    tried: 'A ledger that is asked by its index, threads, lines of COPY made before the transaction (171).',
    needed: 'More cores for the threads: this machine has two, and PostgreSQL uses one.',
  },
  'CPU with two API processes': {
    why:
      'Reads and audit rows of the same moment share a statement. Here one process has the load of both, so with two each ' +
      'has half of it: batches halve, and the database and Node do more for each request.',
    tried:
      'A bound on the statements under way, so that batches fill while one is answered: no gain. Where each process is as ' +
      'busy as the one, which is why one adds processes, the row after this one tells the cost.',
    needed: 'More load for each process, as two processes have on a machine with more cores.',
  },
  'CPU with two API processes, each as busy as the one': {
    why:
      'One process leaves half of the machine idle, two fill it, and a request needs more CPU on a full machine. The next row ' +
      'tells how much that is: two installations that share nothing else.',
    tried: 'Measuring with other work on the machine, so that both meet it: between 0.96 and 1.06 × (210).',
    needed: 'A machine with more cores, which two processes do not fill.',
  },
  'CPU with two API processes, beside two installations': {
    why: 'Reads and audit rows of two processes share no statement, and both wait for the same log of PostgreSQL.',
    tried: 'As in the rows before.',
    needed: 'A machine with more cores to measure it on.',
  },
  'reads beside CCDs of one key': {
    why:
      'The flood asks for the longest chart. Its document is written in a thread of lower priority, but PostgreSQL reads ' +
      'the chart on the same two cores, and reads alone take 1.6 ms on an idle machine.',
    tried:
      'A place before the chart is read, two connections for the threads, a pause after repeated refusals (173), cost ' +
      'weights, low priority, a lane for heavy requests (165, 168).',
    needed: 'Reading a chart in small parts with pauses, or a core that the clinical API does not share.',
  },
  'reads beside a flood of /authorize': {
    why: 'Requests that are refused cost something, too: connection, limits, an error page, a line of the log.',
    tried:
      'A lane that begins one anonymous request for each turn of the event loop (168), a pause after repeated refusals (173).',
    needed: 'Refusing connections before HTTP, at a proxy.',
  },
  'reads beside a flood of the documentation': {
    why: 'Pages that are kept still cost a process its compression and sockets on the same two cores.',
    tried: 'Kept pages (159), processes of their own (164), a lane (168).',
    needed: 'A proxy or network that keeps public pages.',
  },
  ...Object.fromEntries(
    [
      'FHIR page of 50',
      'FHIR page with _revinclude',
      'FHIR $everything',
      'REST list of 10',
      'REST list, deep offset',
      'MCP search',
    ].flatMap((row) =>
      ['a practice that grows', 'more and more practices'].flatMap((growing) =>
        ['warm', 'cold'].map((cache) => [`${row}, ${growing}, ${cache}`, growth] as const),
      ),
    ),
  ),
}
