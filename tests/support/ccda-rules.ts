/**
 * What the templates of C-CDA R2.1 that the documents use say SHALL be, as XPath: for every element that carries the
 * template, each expression is true. Of a section that has nothing, what is asked of its entries does not hold.
 */

/** `concern`: below the root of C-CDA; what is asked of it. */
type TemplateRule = readonly [element: string, template: string, ...expressions: string[]]

const code = (its: string) => `cda:code/@code='${its}'`
const completed = `cda:statusCode/@code='completed'`
const one = (name: string) => `count(cda:${name})=1`
const id = 'count(cda:id)>0'
const low = 'count(cda:effectiveTime/cda:low)=1'
/** Nothing and said so, or at least one entry of this template. */
const entries = (element: string, template: string) =>
  `(@nullFlavor='NI' and not(cda:entry)) or (not(@nullFlavor) and cda:entry/cda:${element}/cda:templateId[@root='2.16.840.1.113883.10.20.22.${template}'])`
const section = (loinc: string) =>
  `cda:code[@code='${loinc}' and @codeSystem='2.16.840.1.113883.6.1'] and ${one('title')} and ${one('text')}`

export const templateRules: readonly TemplateRule[] = [
  [
    'ClinicalDocument',
    '1.1',
    `cda:realmCode/@code='US'`,
    `cda:typeId[@root='2.16.840.1.113883.1.3' and @extension='POCD_HD000040']`,
    `string-length(cda:effectiveTime/@value)>=8`,
    one('confidentialityCode'),
    `cda:languageCode/@code='en-US'`,
    'count(cda:recordTarget/cda:patientRole/cda:id)>0',
    'count(cda:recordTarget/cda:patientRole/cda:addr)>0',
    'count(cda:recordTarget/cda:patientRole/cda:telecom)>0',
    'count(cda:recordTarget/cda:patientRole/cda:patient/cda:administrativeGenderCode)=1',
    'count(cda:recordTarget/cda:patientRole/cda:patient/cda:raceCode)=1',
    'count(cda:recordTarget/cda:patientRole/cda:patient/cda:ethnicGroupCode)=1',
    'not(cda:recordTarget//cda:patient/cda:name[not(cda:given) or count(cda:family)!=1])',
    'count(cda:recordTarget/cda:patientRole/cda:patient/cda:birthTime)=1',
    'count(cda:author/cda:assignedAuthor/cda:assignedAuthoringDevice/cda:softwareName)=1',
    'count(cda:author/cda:assignedAuthor/cda:representedOrganization)=1',
    'count(cda:custodian/cda:assignedCustodian/cda:representedCustodianOrganization/cda:name)=1',
    'count(cda:custodian/cda:assignedCustodian/cda:representedCustodianOrganization/cda:telecom)=1',
  ],
  [
    'ClinicalDocument',
    '1.2',
    code('34133-9'),
    'count(cda:documentationOf/cda:serviceEvent/cda:effectiveTime/cda:low[@value])=1',
    'count(cda:documentationOf/cda:serviceEvent/cda:effectiveTime/cda:high[@value])=1',
    'count(cda:component/cda:structuredBody/cda:component)=17',
  ],
  ['section', '2.6.1', section('48765-2'), entries('act', '4.30')],
  ['section', '2.1.1', section('10160-0'), entries('substanceAdministration', '4.16')],
  ['section', '2.5.1', section('11450-4'), entries('act', '4.3')],
  ['section', '2.3.1', section('30954-2'), entries('organizer', '4.1')],
  ['section', '2.17', section('29762-2')],
  ['section', '2.4.1', section('8716-3'), entries('organizer', '4.26')],
  ['section', '2.7.1', section('47519-4'), entries('procedure', '4.14')],
  ['section', '2.2.1', section('11369-6'), entries('substanceAdministration', '4.52')],
  ['section', '2.22.1', section('46240-8'), entries('encounter', '4.49')],
  ['section', '2.10', section('18776-5')],
  ['section', '2.60', section('61146-7'), entries('observation', '4.121')],
  ['section', '2.58', section('75310-3'), entries('act', '4.132')],
  ['section', '2.500', section('85847-2')],
  ['section', '2.23', section('46264-8')],
  ['section', '2.14', section('47420-5')],
  ['section', '2.18', section('48768-6')],
  ['section', '2.65', section('34109-9'), entries('act', '4.202')],
  ['act', '4.30', id, code('CONC'), low, `cda:statusCode[@code='active' or @code='completed']`],
  ['act', '4.30', `cda:statusCode/@code='active' or count(cda:effectiveTime/cda:high)=1`],
  [
    'act',
    '4.30',
    `cda:entryRelationship[@typeCode='SUBJ']/cda:observation/cda:templateId/@root='2.16.840.1.113883.10.20.22.4.7'`,
  ],
  ['observation', '4.7', id, code('ASSERTION'), completed, low, `cda:value[@xsi:type='CD']/@code`],
  [
    'observation',
    '4.7',
    `count(cda:participant[@typeCode='CSM']/cda:participantRole/cda:playingEntity/cda:code)=1`,
  ],
  ['observation', '4.9', id, code('ASSERTION'), completed, `cda:value/@xsi:type='CD'`],
  ['observation', '4.8', code('SEV'), completed, `cda:value/@xsi:type='CD'`],
  ['observation', '4.28', code('33999-4'), completed, `cda:value/@xsi:type='CE'`],
  ['observation', '4.145', code('82606-5'), completed, `cda:value/@xsi:type='CD'`],
  ['substanceAdministration', '4.16', id, one('statusCode'), one('doseQuantity'), one('consumable')],
  ['substanceAdministration', '4.16', `cda:effectiveTime[@xsi:type='IVL_TS'][cda:low or @value]`],
  [
    'substanceAdministration',
    '4.16',
    `not(cda:effectiveTime[@operator='A']) or count(cda:effectiveTime[@xsi:type='PIVL_TS'])=1`,
  ],
  ['manufacturedProduct', '4.23', `@classCode='MANU'`, 'count(cda:manufacturedMaterial/cda:code)=1'],
  ['supply', '4.18', id, one('statusCode'), one('product'), `@moodCode='EVN'`],
  ['supply', '4.18', `cda:statusCode[@code='completed' or @code='aborted' or @nullFlavor]`],
  ['supply', '4.18', `parent::cda:entryRelationship[@typeCode='REFR']/parent::cda:substanceAdministration`],
  ['substanceAdministration', '4.147', code('76662-6'), 'count(cda:text/cda:reference)=1'],
  ['act', '4.3', id, code('CONC'), low, `count(cda:entryRelationship[@typeCode='SUBJ']/cda:observation)=1`],
  ['observation', '4.4', id, completed, low, one('value'), 'count(cda:code/cda:translation)>0'],
  ['observation', '4.6', code('33999-4'), completed, `cda:value/@xsi:type='CD'`],
  ['organizer', '4.1', id, one('code'), one('statusCode'), 'count(cda:component/cda:observation)>0'],
  ['organizer', '4.1', 'count(cda:effectiveTime/cda:low)=1 and count(cda:effectiveTime/cda:high)=1'],
  ['observation', '4.2', id, one('code'), one('statusCode'), one('effectiveTime'), one('value')],
  ['observation', '4.2', 'not(cda:referenceRange/cda:observationRange[count(cda:value)!=1 or cda:code])'],
  ['observation', '4.78', id, code('72166-2'), completed, `cda:value[@xsi:type='CD']/@code`],
  ['observation', '4.78', 'not(cda:effectiveTime/cda:low or cda:effectiveTime/cda:high)'],
  ['observation', '4.38', id, one('code'), completed, one('effectiveTime')],
  ['observation', '4.200', code('76689-9'), completed, `cda:value/@xsi:type='CD'`],
  ['observation', '4.501', code('76690-7'), completed, low],
  ['observation', '4.69', id, one('code'), completed, one('effectiveTime'), one('value')],
  ['observation', '4.86', id, 'cda:code/@code', completed, 'count(cda:value)>0'],
  ['organizer', '4.26', id, code('46680005'), completed, `cda:code/cda:translation/@code='74728-7'`],
  ['organizer', '4.26', one('effectiveTime'), 'count(cda:component/cda:observation)>0'],
  [
    'observation',
    '4.27',
    id,
    one('code'),
    completed,
    one('effectiveTime'),
    `cda:value[@xsi:type='PQ']/@unit`,
  ],
  ['procedure', '4.14', id, one('code'), one('statusCode')],
  ['substanceAdministration', '4.52', id, one('statusCode'), one('effectiveTime'), '@negationInd'],
  ['manufacturedProduct', '4.54', 'count(cda:manufacturedMaterial/cda:code)=1'],
  ['observation', '4.53', id, one('code'), completed],
  ['encounter', '4.49', id, one('code'), one('effectiveTime')],
  ['observation', '4.19', id, one('code'), completed],
  ['act', '4.80', code('29308-4'), `count(cda:entryRelationship[@typeCode='SUBJ']/cda:observation)=1`],
  ['participantRole', '4.32', `@classCode='SDLOC'`, one('code')],
  ['observation', '4.44', id, one('code'), `cda:statusCode/@code='active'`, `@moodCode='RQO'`],
  ['procedure', '4.41', id, one('code'), one('statusCode'), `@moodCode='RQO'`],
  ['act', '4.39', id, one('code'), `cda:statusCode/@code='active'`, `@moodCode='RQO' or @moodCode='INT'`],
  [
    'observation',
    '4.121',
    id,
    one('code'),
    one('statusCode'),
    `@moodCode='GOL'`,
    'not(cda:templateId/@extension)',
  ],
  ['act', '4.132', id, code('75310-3'), one('statusCode')],
  ['organizer', '4.500', id, code('86744-0'), low, 'count(cda:component/cda:act)>0'],
  ['act', '4.500.1', low, one('statusCode'), 'count(cda:performer/cda:assignedEntity/cda:id)>0'],
  ['act', '4.500.1', 'count(cda:performer/cda:assignedEntity/cda:assignedPerson/cda:name)=1'],
  ['supply', '4.50', id, one('statusCode')],
  ['participantRole', '4.37', id, one('playingDevice'), 'count(cda:scopingEntity/cda:id)>0'],
  ['act', '4.60', id, code('48768-6'), completed, `count(cda:entryRelationship[@typeCode='COMP']/cda:act)=1`],
  ['act', '4.61', id, one('code'), completed, `cda:entryRelationship/@typeCode='REFR'`],
  ['act', '4.61', `count(cda:participant[@typeCode='COV']/cda:participantRole[cda:id and cda:code])=1`],
  ['act', '4.61', `count(cda:performer/cda:templateId[@root='2.16.840.1.113883.10.20.22.4.87'])=1`],
  [
    'act',
    '4.202',
    one('effectiveTime'),
    one('statusCode'),
    'count(cda:text/cda:reference)=1',
    'count(cda:author)>0',
  ],
  ['author', '4.119', one('time'), 'count(cda:assignedAuthor/cda:id)>0'],
]

/** What holds of the whole document, whatever its templates. */
export const documentRules: readonly string[] = [
  // Every code that has a system has a code, and the other way round.
  'not(//*[@code and not(@codeSystem) and not(self::cda:statusCode or self::cda:languageCode or self::cda:realmCode or self::cda:confidentialityCode)])',
  // A value is told or is said to be missing.
  'not(//cda:value[not(@*[name()!="xsi:type"]) and not(node())])',
  'not(//cda:section[not(@nullFlavor) and not(cda:text/cda:table)])',
]
