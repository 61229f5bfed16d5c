// Made from the OpenAPI document of the REST API: npm run generate. Not edited by hand.

export interface paths {
    "/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the key’s context
         * @description The practice the key belongs to, the key itself and its limits. A good first call.
         */
        get: operations["getContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a document
         * @description Registers the metadata of a patient’s document. Its bytes are not sent here: FHIR’s `DocumentReference/{id}/$attachment` returns 404 until the practice has them. Needs the data class `notes` (clinical notes).
         */
        post: operations["createDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/encounters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start an encounter
         * @description Starts an encounter for a patient of the practice; its status is in-progress. The patient, the practitioner and the location must belong to the practice. Needs the data class `visits` (visits and appointments).
         */
        post: operations["createEncounter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/locations/{id}/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the providers at a location
         * @description Providers who work at one location of the practice, ordered by family name, given name and ID.
         */
        get: operations["listLocationProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The MCP server
         * @description Model Context Protocol over Streamable HTTP, without sessions and without streams: one JSON-RPC message is posted, its answer is JSON; what needs no answer gets 202. Versions 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, 2024-10-07; a request of version 2025-03-26 or older may hold up to 20 messages, each of which is answered for itself; of these every call of a tool, read of a resource and prompt beyond the first counts against the limits, too. A read-only key may call the tools that read. Tools that write are offered to a full key whose owner has switched MCP writes on. Whatever is refused before the message is read has the envelope of every refusal; from there on, refusals are JSON-RPC’s.
         */
        post: operations["callMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the OpenAPI document
         * @description The OpenAPI 3.1 description of this base URL. Needs no key.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/patients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search patients
         * @description Patients of the practice, or those that match all parameters. With `q`, exact names come first, then partial matches. Without it, they are ordered by family name, given name and ID. Either order is stable across pages. Needs the data class `demographics` (names, addresses, contact details, birth dates, sex) or `identifiers` (medical record numbers and other identifiers).
         */
        get: operations["listPatients"];
        put?: never;
        /**
         * Create a patient
         * @description Creates a patient at the practice, visible to every interface from the next request. Send an `Idempotency-Key` so that a repeated request doesn’t create a second patient. Needs the data class `demographics` (names, addresses, contact details, birth dates, sex) and `identifiers` (medical record numbers and other identifiers).
         */
        post: operations["createPatient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/patients/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one patient
         * @description A patient of the key’s practice. Records of other practices return 404. Needs the data class `demographics` (names, addresses, contact details, birth dates, sex) or `identifiers` (medical record numbers and other identifiers).
         */
        get: operations["getPatient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/patients/{id}/ccda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the current CCD of a patient (beta)
         * @description The patient’s Continuity of Care Document, C-CDA R2.1, generated from the chart on request. The bytes are identical until the chart changes. With `Accept: text/html` the response is a readable page with the same sections. The document is streamed; a truncated response is not a complete document. Needs the data class `documents` (documents and summaries of care).
         */
        get: operations["getCcda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/practitioners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the practice’s providers
         * @description Providers of the practice, or those that match `q`. With `q`, the closest matches come first; without it, they are ordered by family name, given name and ID.
         */
        get: operations["listPractitioners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/practitioners/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one practitioner
         * @description A provider of the key’s practice.
         */
        get: operations["getPractitioner"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system/practice-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether one practice is up
         * @description One practice, looked up by its login slug: its name and state, nothing else. For an unknown ID, `found` is false, because a typo is not an outage. Needs no key. Each client address may send 5 requests a second and 20 a minute, over both routes of the Status API together. Poll every 30 seconds at most.
         */
        get: operations["getPracticeStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the platform is up
         * @description Every component of the platform with its state. Needs no key. Each client address may send 5 requests a second and 20 a minute, over both routes of the Status API together. Poll every 30 seconds at most.
         */
        get: operations["getPlatformStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A postal address. */
        Address: {
            /**
             * @description City.
             * @example Samplehaven
             */
            city: string | null;
            /**
             * @description Country.
             * @example US
             */
            country: string | null;
            /**
             * @description Street lines.
             * @example [
             *       "12 Placeholder Avenue",
             *       "Apt 3"
             *     ]
             */
            line: string[];
            /**
             * @description Postal code.
             * @example 04999
             */
            postalCode: string | null;
            /**
             * @description State or region; in the US two letters.
             * @example ME
             */
            state: string | null;
            /** @description Use, such as home. */
            use: ("home" | "work" | "temp" | "old" | "billing") | null;
        };
        /** @description A coded value. */
        Coding: {
            /**
             * @description The code.
             * @example 185345009
             */
            code: string | null;
            /**
             * @description Meaning, for display.
             * @example Encounter for symptom (procedure)
             */
            display: string | null;
            /**
             * @description URI of the code system.
             * @example http://snomed.info/sct
             */
            system: string | null;
        };
        /** @description The key’s practice, details and limits. */
        Context: {
            /** @description Both windows apply at once. */
            limits: {
                /**
                 * @description What the practice allows this key a day, and when; null: nothing is capped.
                 * @example null
                 */
                caps: {
                    /** @description Calls a day; null: not capped. */
                    callsPerDay: number | null;
                    /** @description When the key may be used; null: always. */
                    hours: {
                        /**
                         * @description First minute, as HH:MM in `zone`.
                         * @example 07:00
                         */
                        from: string;
                        /**
                         * @description End; before `from`: on the next day, as HH:MM in `zone`.
                         * @example 07:00
                         */
                        until: string;
                    } | null;
                    /** @description Different patients whose records are read or written a day; null: not capped. */
                    patientsPerDay: number | null;
                    /** @description What is used. */
                    today: {
                        /** @description Calls counted today; 0 where calls are not capped. */
                        calls: number;
                        /**
                         * Format: date
                         * @description Today in `zone`.
                         * @example 2026-01-15
                         */
                        date: string;
                        /** @description Patients counted today; 0 where patients are not capped. */
                        patients: number;
                        /**
                         * Format: date-time
                         * @description When the next day begins.
                         * @example 2026-01-16T05:00:00.000Z
                         */
                        resetsAt: string;
                    };
                    /**
                     * @description The IANA time zone of the day and the hours.
                     * @example America/New_York
                     */
                    zone: string;
                } | null;
                /** @description Limits of this key. */
                key: {
                    /** @description Requests of this key in one minute. */
                    perMinute: number;
                    /** @description Requests of this key in one second. */
                    perSecond: number;
                };
                /** @description Limits of all keys and staff sessions of the practice. */
                practice: {
                    /** @description Requests of all keys and staff sessions of the practice in one minute. */
                    perMinute: number;
                    /** @description Requests of all keys and staff sessions of the practice in one second. */
                    perSecond: number;
                };
            };
            /** @description The one practice the key belongs to. */
            practice: {
                /**
                 * @description Sandbox practices contain synthetic patients only.
                 * @enum {string}
                 */
                environment: "sandbox" | "production";
                /**
                 * @description The practice’s ID, its login slug.
                 * @example sandpiper-demonstration
                 */
                id: string;
                /**
                 * @description The practice’s name.
                 * @example Sandpiper Demonstration Practice
                 */
                name: string;
            };
            /** @description The key itself. */
            principal: {
                /**
                 * @description Data classes the key can read; null: all. Fields and records of other classes are absent.
                 * @example null
                 */
                dataClasses: ("demographics" | "identifiers" | "visits" | "problems" | "medications" | "allergies" | "immunizations" | "results" | "vital_signs" | "social_history" | "procedures" | "notes" | "documents" | "care_plans" | "coverage" | "specially_protected")[] | null;
                /**
                 * Format: date-time
                 * @description When the key expires.
                 * @example 2026-04-15T09:30:00.000Z
                 */
                expiresAt: string;
                /**
                 * @description The name its owner chose.
                 * @example Intake prototype
                 */
                keyName: string;
                /**
                 * @description The key’s public part; you may share it with support.
                 * @example svc_t3kQ9xZa
                 */
                keyPrefix: string;
                /**
                 * @description The caller.
                 * @constant
                 */
                kind: "api_key";
                /**
                 * @description The key’s access level.
                 * @enum {string}
                 */
                level: "read_only" | "full";
                /**
                 * @description Purposes the key can send in `X-Purpose`; null: all.
                 * @example null
                 */
                purposes: ("operations" | "treatment" | "payment" | "quality" | "public_health" | "patient_request")[] | null;
            };
        };
        /** @description A document of the practice. Its bytes are read through FHIR, at `DocumentReference/{id}/$attachment`, which returns 404 until they are available. */
        Document: {
            authoredAt: string | null;
            /**
             * @description The practitioner who wrote it.
             * @example pr-ines-placeholder
             */
            authorId: string | null;
            /**
             * @description Media type of the bytes.
             * @example application/pdf
             */
            contentType: string | null;
            /** @description Encounter it belongs to. */
            encounterId: string | null;
            /**
             * @description Document ID, the same as in FHIR.
             * @example doc-1
             */
            id: string;
            /**
             * Format: date-time
             * @description When the record last changed.
             * @example 2026-01-15T09:30:00.000Z
             */
            lastUpdated: string;
            /**
             * @description Patient of the document.
             * @example pt-wren-testwell
             */
            patientId: string;
            /** @description SHA-256 of the bytes, in hexadecimal digits. */
            sha256: string | null;
            /**
             * @description Number of bytes.
             * @example 48213
             */
            size: number | null;
            /**
             * @description FHIR status.
             * @enum {string}
             */
            status: "current" | "superseded" | "entered-in-error";
            /**
             * @description Title for display.
             * @example Letter of referral, dermatology
             */
            title: string | null;
            type: components["schemas"]["Coding"];
        };
        /** @description An encounter of a patient with the practice. */
        Encounter: {
            class: components["schemas"]["Coding"];
            end: string | null;
            /**
             * @description Encounter ID, the same as in FHIR.
             * @example en-1
             */
            id: string;
            /**
             * Format: date-time
             * @description When the record last changed.
             * @example 2026-01-15T09:30:00.000Z
             */
            lastUpdated: string;
            /**
             * @description Location.
             * @example loc-main
             */
            locationId: string | null;
            /**
             * @description Patient of the encounter.
             * @example pt-wren-testwell
             */
            patientId: string;
            /**
             * @description Practitioner who sees the patient.
             * @example pr-ines-placeholder
             */
            practitionerId: string | null;
            /**
             * @description Reason for the visit, as text.
             * @example Cough for two weeks
             */
            reason: string | null;
            start: string | null;
            /**
             * @description FHIR status; `in-progress` from its start.
             * @enum {string}
             */
            status: "planned" | "arrived" | "triaged" | "in-progress" | "onleave" | "finished" | "cancelled" | "entered-in-error" | "unknown";
            type: components["schemas"]["Coding"];
        };
        /** @description Every error of this API. */
        Error: {
            /** @description The error. */
            error: {
                /**
                 * @description Error code; stable. The portal explains each at `/docs/errors/{code}`.
                 * @enum {string}
                 */
                code: "validation" | "malformed_json" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "gone" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
                /**
                 * Format: uuid
                 * @description Identifies this request to support and in the key’s activity log.
                 */
                correlationId: string;
                /** @description What went wrong, for people. The wording may change. */
                message: string;
            };
        };
        /** @description The current name. */
        HumanName: {
            /**
             * @description Family name.
             * @example Testwell
             */
            family: string | null;
            /**
             * @description Given names, first one first.
             * @example [
             *       "Wren",
             *       "Ada"
             *     ]
             */
            given: string[];
        };
        /** @description Metadata of a new document, without its bytes. */
        NewDocument: {
            /**
             * Format: date-time
             * @description When it was written. Not in the future.
             * @example 2026-11-19T16:05:00-05:00
             */
            authoredAt: string;
            /**
             * @description The practitioner who wrote it.
             * @example pr-ines-placeholder
             */
            authorId?: string;
            /**
             * @description Media type of the bytes.
             * @example application/pdf
             * @enum {string}
             */
            contentType: "application/pdf" | "text/plain" | "application/xml" | "image/jpeg" | "image/png" | "image/tiff";
            /** @description Encounter of the same patient that the document belongs to. */
            encounterId?: string;
            /**
             * @description Patient of the document.
             * @example pt-wren-testwell
             */
            patientId: string;
            /**
             * @description SHA-256 of the bytes, in hexadecimal digits.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string;
            /**
             * @description Number of bytes.
             * @example 48213
             */
            size: number;
            /**
             * @description Title for display.
             * @example Letter of referral, dermatology
             */
            title: string;
            /**
             * @description Document type, a LOINC code.
             *
             *     - `11488-4`: Consult note
             *     - `11502-2`: Laboratory report
             *     - `11504-8`: Surgical operation note
             *     - `11506-3`: Progress note
             *     - `11526-1`: Pathology study
             *     - `18748-4`: Diagnostic imaging study
             *     - `18761-7`: Transfer summary note
             *     - `18842-5`: Discharge summary
             *     - `28570-0`: Procedure note
             *     - `34108-1`: Outpatient Note
             *     - `34117-2`: History and physical note
             *     - `34133-9`: Summary of episode note
             *     - `57133-1`: Referral note
             * @example 57133-1
             * @enum {string}
             */
            type: "11488-4" | "11502-2" | "11504-8" | "11506-3" | "11526-1" | "18748-4" | "18761-7" | "18842-5" | "28570-0" | "34108-1" | "34117-2" | "34133-9" | "57133-1";
        };
        /** @description A new encounter. */
        NewEncounter: {
            /**
             * @description Care setting, an HL7 v3 ActCode.
             *
             *     - `AMB`: ambulatory
             *     - `EMER`: emergency
             *     - `HH`: home health
             *     - `IMP`: inpatient encounter
             *     - `OBSENC`: observation encounter
             *     - `VR`: virtual `"AMB"` if omitted.
             * @enum {string}
             */
            class?: "AMB" | "EMER" | "HH" | "IMP" | "OBSENC" | "VR";
            /**
             * @description Location.
             * @example loc-main
             */
            locationId?: string;
            /**
             * @description Patient of the encounter.
             * @example pt-wren-testwell
             */
            patientId: string;
            /**
             * @description Practitioner who sees the patient.
             * @example pr-ines-placeholder
             */
            practitionerId?: string;
            /**
             * @description Reason for the visit, as text.
             * @example Cough for two weeks
             */
            reason?: string;
            /**
             * Format: date-time
             * @description Start; now if omitted. Not in the future.
             * @example 2026-11-20T09:30:00-05:00
             */
            start?: string;
            /**
             * @description Type of encounter, a SNOMED CT code.
             *
             *     - `32485007`: Hospital admission (procedure)
             *     - `50849002`: Emergency room admission (procedure)
             *     - `185345009`: Encounter for symptom (procedure)
             *     - `185347001`: Encounter for problem (procedure)
             *     - `185349003`: Encounter for check up (procedure)
             *     - `390906007`: Follow-up encounter (procedure)
             *     - `424441002`: Prenatal initial visit (regime/therapy)
             *     - `424619006`: Prenatal visit (regime/therapy)
             * @example 185345009
             * @enum {string}
             */
            type: "32485007" | "50849002" | "185345009" | "185347001" | "185349003" | "390906007" | "424441002" | "424619006";
        };
        /** @description A patient to be created. */
        NewPatient: {
            /** @description False if the record is not in use. `true` if omitted. */
            active?: boolean;
            /** @description Addresses, current one first. `[]` if omitted. */
            address?: {
                /**
                 * @description City.
                 * @example Samplehaven
                 */
                city?: string;
                /**
                 * @description Country.
                 * @example US
                 */
                country?: string;
                /**
                 * @description Street lines. `[]` if omitted.
                 * @example [
                 *       "7 Sample Street"
                 *     ]
                 */
                line?: string[];
                /**
                 * @description Postal code.
                 * @example 04999
                 */
                postalCode?: string;
                /**
                 * @description State or region; in the US two letters.
                 * @example ME
                 */
                state?: string;
                /**
                 * @description Use, such as home.
                 * @enum {string}
                 */
                use?: "home" | "work" | "temp" | "old" | "billing";
            }[];
            /**
             * @description Date of birth: a day, or a month or year if that is all that is known. Not in the future.
             * @example 1988-02-17
             */
            birthDate: string;
            /**
             * @description Preferred language, a BCP 47 tag without script or region.
             * @example en
             */
            language?: string;
            /**
             * @description Medical record number. Must be unique in the practice; assigned if omitted.
             * @example SYN-104733
             */
            mrn?: string;
            /** @description The current name. */
            name: {
                /**
                 * @description Family name.
                 * @example Samplewood
                 */
                family: string;
                /**
                 * @description Given names, first one first. `[]` if omitted.
                 * @example [
                 *       "Juniper",
                 *       "Mae"
                 *     ]
                 */
                given?: string[];
            };
            /**
             * @description Administrative sex. `"unknown"` if omitted.
             * @enum {string}
             */
            sex?: "male" | "female" | "other" | "unknown";
            /** @description Contact details, preferred one first. `[]` if omitted. */
            telecom?: {
                /**
                 * @description Kind of contact.
                 * @enum {string}
                 */
                system: "phone" | "email" | "fax" | "pager" | "url" | "sms" | "other";
                /**
                 * @description Use, such as home.
                 * @enum {string}
                 */
                use?: "home" | "work" | "temp" | "old" | "mobile";
                /**
                 * @description Number or address.
                 * @example (207) 555-0177
                 */
                value: string;
            }[];
        };
        /** @description Position of the page. */
        Page: {
            /** @description True when another page follows. */
            hasMore: boolean;
            /**
             * @description Requested page size.
             * @example 25
             */
            limit: number;
            /**
             * @description Records skipped before the first one.
             * @example 0
             */
            offset: number;
        };
        /** @description A patient of the practice. Fields of a data class that the key can’t read are absent. */
        Patient: {
            /** @description False if the record is no longer in use. */
            active: boolean;
            /** @description Addresses, current one first. */
            address?: components["schemas"]["Address"][];
            /**
             * @description Date of birth: a day, or a month or year if that is all that is known.
             * @example 1971-04-09
             */
            birthDate?: (string) | null;
            /** @description True if the patient has died. */
            deceased?: boolean;
            /**
             * @description When the patient died, as precisely as recorded.
             * @example 2024-06-30
             */
            deceasedAt?: string | null;
            /**
             * @description Patient ID, the same as in FHIR.
             * @example pt-wren-testwell
             */
            id: string;
            /**
             * @description Preferred language, a BCP 47 tag.
             * @example en
             */
            language?: string | null;
            /**
             * Format: date-time
             * @description When the record last changed.
             * @example 2026-01-15T09:30:00.000Z
             */
            lastUpdated: string;
            /**
             * @description Medical record number, unique in the practice.
             * @example SYN-004217
             */
            mrn?: string | null;
            name?: components["schemas"]["HumanName"];
            /**
             * @description Administrative sex; FHIR’s gender. `unknown` if nothing is recorded.
             * @enum {string}
             */
            sex?: "male" | "female" | "other" | "unknown";
            /** @description Contact details, preferred one first. */
            telecom?: components["schemas"]["Telecom"][];
        };
        /** @description One page of patients. */
        PatientList: {
            /** @description With `q`, the closest match first; otherwise ordered by family name, given name and ID. */
            data: components["schemas"]["Patient"][];
            page: components["schemas"]["Page"];
        };
        /** @description Whether the platform is up. For information only; not a service-level agreement. */
        PlatformStatus: {
            /**
             * Format: date-time
             * @description When this was last checked.
             * @example 2026-11-20T17:00:00.000Z
             */
            checkedAt: string;
            /**
             * @description The platform as a whole, from all rows that are neither disabled nor unchecked.
             * @enum {string}
             */
            overall: "operational" | "degraded" | "major_outage";
            /** @description The overall state in one sentence. */
            overallSummary: string;
            /** @description Every component, always in the same order. */
            services: components["schemas"]["ServiceStatus"][];
        };
        /** @description Whether one practice can sign in and save records. */
        PracticeStatus: {
            /**
             * Format: date-time
             * @description When this was last checked.
             * @example 2026-11-20T17:00:00.000Z
             */
            checkedAt: string;
            /** @description Whether a practice has this id. */
            found: boolean;
            /** @description Its name; empty if not found. */
            name: string;
            /**
             * @description The practice’s login slug; empty if not found.
             * @example harbor-family
             */
            practiceId: string;
            /** @description The requested ID, unchanged. */
            queried: string;
            /**
             * @description `suspended` is the practice’s own state and not an outage; `unknown` means that no practice has this ID.
             * @enum {string}
             */
            status: "operational" | "degraded" | "down" | "suspended" | "unknown";
            /** @description The state in one sentence. */
            summary: string;
        };
        /** @description A provider of the practice. */
        Practitioner: {
            /** @description False for a person who has left. */
            active: boolean;
            /** @description Postal addresses of the workplaces. */
            address: components["schemas"]["Address"][];
            /**
             * @description Practitioner ID, the same as in FHIR.
             * @example pr-ines-placeholder
             */
            id: string;
            /**
             * Format: date-time
             * @description When the record last changed.
             * @example 2026-01-15T09:30:00.000Z
             */
            lastUpdated: string;
            /**
             * @description Where the practitioner works: IDs for `/locations/{id}/providers`.
             * @example [
             *       "loc-main"
             *     ]
             */
            locationIds: string[];
            name: components["schemas"]["HumanName"];
            /**
             * @description National Provider Identifier.
             * @example 2999042171
             */
            npi: string | null;
            /** @description What the practitioner does in this practice, without duplicates. */
            specialties: components["schemas"]["Coding"][];
            /** @description The practitioner’s contact details. */
            telecom: components["schemas"]["Telecom"][];
        };
        /** @description One page of practitioners. */
        PractitionerList: {
            /** @description With `q`, the closest match first; otherwise ordered by family name, given name and ID. */
            data: components["schemas"]["Practitioner"][];
            page: components["schemas"]["Page"];
        };
        /** @description One component. The FHIR and SMART rows report availability and certify nothing. */
        ServiceStatus: {
            /**
             * @description Present with `overridden`: the result of the automatic check.
             * @enum {string}
             */
            automaticStatus?: "operational" | "degraded" | "down" | "disabled" | "not_available" | "partial_outage" | "major_outage" | "under_maintenance";
            /**
             * Format: uri
             * @description Its address.
             */
            href: string;
            /**
             * @description The component.
             * @enum {string}
             */
            id: "academy" | "demo" | "chartvoyant_app" | "api" | "mcp" | "fhir" | "smart" | "ai";
            /**
             * @description Display name.
             * @example FHIR API
             */
            name: string;
            /**
             * @description Present if the state was set manually.
             * @constant
             */
            overridden?: true;
            /**
             * @description Its state. `disabled` is off on purpose and not an outage; `not_available` was not checked; `partial_outage`, `major_outage` and `under_maintenance` are set manually.
             * @enum {string}
             */
            status: "operational" | "degraded" | "down" | "disabled" | "not_available" | "partial_outage" | "major_outage" | "under_maintenance";
            /** @description The state in one sentence. */
            summary: string;
        };
        /** @description One contact detail. */
        Telecom: {
            /**
             * @description Kind of contact.
             * @enum {string}
             */
            system: "phone" | "email" | "fax" | "pager" | "url" | "sms" | "other";
            /** @description Use, such as home. */
            use: ("home" | "work" | "temp" | "old" | "mobile") | null;
            /**
             * @description Number or address.
             * @example (207) 555-0142
             */
            value: string;
        };
    };
    responses: {
        /** @description This is not allowed. Or: This API key is not allowed this purpose. */
        forbidden_or_purpose_not_allowed: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description This is not allowed. Or: This API key is not allowed this purpose. Or: This API key is not allowed to read this class of data. */
        forbidden_or_purpose_not_allowed_or_class_not_allowed: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something went wrong on our side. Retry with backoff. The correlation ID identifies this request. */
        internal: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description This path does not support this method. */
        method_not_allowed: {
            headers: {
                Allow: components["headers"]["Allow"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Nothing was found at this address. */
        not_found: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 1,048,576 bytes. */
        payload_too_large: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests. Wait for the time in Retry-After and reduce concurrency. */
        rate_limited: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential is missing, unknown, expired or revoked. */
        unauthorized: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service is busy. Retry after a moment. */
        unavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body must be application/json. */
        unsupported_media_type: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is not valid. */
        validation: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is not valid. Or: The body is not valid JSON. */
        validation_or_malformed_json: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description A value you create, one per record to be created. Sent again with the same body within 24 hours, it creates nothing new and gets the same response; with another body it is refused. Of two concurrent requests, the second waits for the first. A refused request doesn’t use up its key.
         * @example 8f14e45f-ceea-4b5d-9a1f-7d2b1c0e6a55
         */
        idempotencyKey: string;
        /**
         * @description Why the record is read; stored in the practice’s access log.
         *
         *     - `operations`: Running the practice.
         *     - `treatment`: Treating the patient.
         *     - `payment`: Billing and payment.
         *     - `quality`: Measuring and improving quality.
         *     - `public_health`: Public health reporting.
         *     - `patient_request`: Requested by the patient.
         */
        purpose: "operations" | "treatment" | "payment" | "quality" | "public_health" | "patient_request";
    };
    requestBodies: never;
    headers: {
        /** @description The methods this path supports. */
        Allow: string;
        /** @description URL of the created record. */
        Location: string;
        /** @description What is left in them: `r` requests for `t` seconds. */
        RateLimit: string;
        /** @description The caller’s windows: `q` requests in `w` seconds. */
        "RateLimit-Policy": string;
        /** @description Seconds to wait, at least 1. */
        "Retry-After": number;
        /** @description Identifies this request; always set by the server. */
        "X-Correlation-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getContext: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Why the record is read; stored in the practice’s access log.
                 *
                 *     - `operations`: Running the practice.
                 *     - `treatment`: Treating the patient.
                 *     - `payment`: Billing and payment.
                 *     - `quality`: Measuring and improving quality.
                 *     - `public_health`: Public health reporting.
                 *     - `patient_request`: Requested by the patient.
                 */
                "X-Purpose"?: components["parameters"]["purpose"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The practice and the key. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "practice": {
                     *         "id": "sandpiper-demonstration",
                     *         "name": "Sandpiper Demonstration Practice",
                     *         "environment": "sandbox"
                     *       },
                     *       "principal": {
                     *         "kind": "api_key",
                     *         "keyPrefix": "svc_t3kQ9xZa",
                     *         "keyName": "Intake prototype",
                     *         "level": "read_only",
                     *         "dataClasses": null,
                     *         "purposes": null,
                     *         "expiresAt": "2026-04-15T09:30:00.000Z"
                     *       },
                     *       "limits": {
                     *         "key": {
                     *           "perSecond": 150,
                     *           "perMinute": 3600
                     *         },
                     *         "practice": {
                     *           "perSecond": 400,
                     *           "perMinute": 12000
                     *         },
                     *         "caps": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Context"];
                };
            };
            400: components["responses"]["validation"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden_or_purpose_not_allowed"];
            405: components["responses"]["method_not_allowed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createDocument: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value you create, one per record to be created. Sent again with the same body within 24 hours, it creates nothing new and gets the same response; with another body it is refused. Of two concurrent requests, the second waits for the first. A refused request doesn’t use up its key.
                 * @example 8f14e45f-ceea-4b5d-9a1f-7d2b1c0e6a55
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /**
                 * @description Why the record is read; stored in the practice’s access log.
                 *
                 *     - `operations`: Running the practice.
                 *     - `treatment`: Treating the patient.
                 *     - `payment`: Billing and payment.
                 *     - `quality`: Measuring and improving quality.
                 *     - `public_health`: Public health reporting.
                 *     - `patient_request`: Requested by the patient.
                 */
                "X-Purpose"?: components["parameters"]["purpose"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "patientId": "pt-wren-testwell",
                 *       "title": "Letter of referral, dermatology",
                 *       "type": "57133-1",
                 *       "contentType": "application/pdf",
                 *       "size": 48213,
                 *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *       "authoredAt": "2026-11-19T16:05:00-05:00",
                 *       "authorId": "pr-ines-placeholder"
                 *     }
                 */
                "application/json": components["schemas"]["NewDocument"];
            };
        };
        responses: {
            /** @description The registered document. */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0d7c4d6e-8a4b-4a52-b3fd-3a0f3e5d7a20",
                     *       "patientId": "pt-wren-testwell",
                     *       "encounterId": null,
                     *       "title": "Letter of referral, dermatology",
                     *       "type": {
                     *         "system": "http://loinc.org",
                     *         "code": "57133-1",
                     *         "display": "Referral note"
                     *       },
                     *       "contentType": "application/pdf",
                     *       "size": 48213,
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "authoredAt": "2026-11-19T16:05:00-05:00",
                     *       "authorId": "pr-ines-placeholder",
                     *       "status": "current",
                     *       "lastUpdated": "2026-11-20T17:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["validation_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden_or_purpose_not_allowed_or_class_not_allowed"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createEncounter: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value you create, one per record to be created. Sent again with the same body within 24 hours, it creates nothing new and gets the same response; with another body it is refused. Of two concurrent requests, the second waits for the first. A refused request doesn’t use up its key.
                 * @example 8f14e45f-ceea-4b5d-9a1f-7d2b1c0e6a55
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /**
                 * @description Why the record is read; stored in the practice’s access log.
                 *
                 *     - `operations`: Running the practice.
                 *     - `treatment`: Treating the patient.
                 *     - `payment`: Billing and payment.
                 *     - `quality`: Measuring and improving quality.
                 *     - `public_health`: Public health reporting.
                 *     - `patient_request`: Requested by the patient.
                 */
                "X-Purpose"?: components["parameters"]["purpose"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "patientId": "pt-wren-testwell",
                 *       "practitionerId": "pr-ines-placeholder",
                 *       "locationId": "loc-main",
                 *       "class": "AMB",
                 *       "type": "185345009",
                 *       "reason": "Cough for two weeks"
                 *     }
                 */
                "application/json": components["schemas"]["NewEncounter"];
            };
        };
        responses: {
            /** @description The encounter. */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "b1a7a8e5-2f0d-4b57-8c65-0c4d3d1f8a11",
                     *       "patientId": "pt-wren-testwell",
                     *       "practitionerId": "pr-ines-placeholder",
                     *       "locationId": "loc-main",
                     *       "status": "in-progress",
                     *       "class": {
                     *         "system": "http://terminology.hl7.org/CodeSystem/v3-ActCode",
                     *         "code": "AMB",
                     *         "display": "ambulatory"
                     *       },
                     *       "type": {
                     *         "system": "http://snomed.info/sct",
                     *         "code": "185345009",
                     *         "display": "Encounter for symptom (procedure)"
                     *       },
                     *       "reason": "Cough for two weeks",
                     *       "start": "2026-11-20T17:00:00.000Z",
                     *       "end": null,
                     *       "lastUpdated": "2026-11-20T17:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Encounter"];
                };
            };
            400: components["responses"]["validation_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden_or_purpose_not_allowed_or_class_not_allowed"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listLocationProviders: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip before the first one. */
                offset?: number;
            };
            header?: {
                /**
                 * @description Why the record is read; stored in the practice’s access log.
                 *
                 *     - `operations`: Running the practice.
                 *     - `treatment`: Treating the patient.
                 *     - `payment`: Billing and payment.
                 *     - `quality`: Measuring and improving quality.
                 *     - `public_health`: Public health reporting.
                 *     - `patient_request`: Requested by the patient.
                 */
                "X-Purpose"?: components["parameters"]["purpose"];
            };
            path: {
                /** @description Id of the location. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of practitioners; empty if no one works there. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "pr-ines-placeholder",
                     *           "npi": "2999042171",
                     *           "name": {
                     *             "family": "Placeholder",
                     *             "given": [
                     *               "Ines"
                     *             ]
                     *           },
                     *           "active": true,
                     *           "telecom": [
                     *             {
                     *               "system": "phone",
                     *               "value": "(207) 555-0110",
                     *               "use": "work"
                     *             },
                     *             {
                     *               "system": "email",
                     *               "value": "ines.placeholder@clinic.example",
                     *               "use": "work"
                     *             }
                     *           ],
                     *           "address": [
                     *             {
                     *               "use": "work",
                     *               "line": [
                     *                 "1 Example Square"
                     *               ],
                     *               "city": "Samplehaven",
                     *               "state": "ME",
                     *               "postalCode": "04999",
                     *               "country": "US"
                     *             }
                     *           ],
                     *           "specialties": [
                     *             {
                     *               "system": "http://nucc.org/provider-taxonomy",
                     *               "code": "207Q00000X",
                     *               "display": "Family Medicine Physician"
                     *             }
                     *           ],
                     *           "locationIds": [
                     *             "loc-main"
                     *           ],
                     *           "lastUpdated": "2026-11-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "limit": 25,
                     *         "offset": 0,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PractitionerList"];
                };
            };
            400: components["responses"]["validation"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden_or_purpose_not_allowed"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    callMcp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Why the record is read; stored in the practice’s access log.
                 *
                 *     - `operations`: Running the practice.
                 *     - `treatment`: Treating the patient.
                 *     - `payment`: Billing and payment.
                 *     - `quality`: Measuring and improving quality.
                 *     - `public_health`: Public health reporting.
                 *     - `patient_request`: Requested by the patient.
                 */
                "X-Purpose"?: components["parameters"]["purpose"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "ping"
                 *     }
                 */
                "application/json": {
                    /** @description Chosen by the client; the response to a request has the same ID. */
                    id?: string | number;
                    /**
                     * @description The JSON-RPC version.
                     * @constant
                     */
                    jsonrpc: "2.0";
                    /**
                     * @description The requested method.
                     * @example tools/call
                     */
                    method: string;
                    /** @description Parameters as the method defines them. */
                    params?: {
                        [key: string]: unknown;
                    };
                } | {
                    /** @description Chosen by the client; the response to a request has the same ID. */
                    id?: string | number;
                    /**
                     * @description The JSON-RPC version.
                     * @constant
                     */
                    jsonrpc: "2.0";
                    /**
                     * @description The requested method.
                     * @example tools/call
                     */
                    method: string;
                    /** @description Parameters as the method defines them. */
                    params?: {
                        [key: string]: unknown;
                    };
                }[];
            };
        };
        responses: {
            /** @description The response to the message, or a list of responses to a batch. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "result": {}
                     *     }
                     */
                    "application/json": {
                        /** @description Why there is no result. */
                        error?: {
                            /** @description The JSON-RPC error code. */
                            code: number;
                            /** @description What went wrong, for people. */
                            message: string;
                        } & {
                            [key: string]: unknown;
                        };
                        id: (string | number) | null;
                        /**
                         * @description The JSON-RPC version.
                         * @constant
                         */
                        jsonrpc: "2.0";
                        /** @description The result. */
                        result?: {
                            [key: string]: unknown;
                        };
                    } | {
                        /** @description Why there is no result. */
                        error?: {
                            /** @description The JSON-RPC error code. */
                            code: number;
                            /** @description What went wrong, for people. */
                            message: string;
                        } & {
                            [key: string]: unknown;
                        };
                        id: (string | number) | null;
                        /**
                         * @description The JSON-RPC version.
                         * @constant
                         */
                        jsonrpc: "2.0";
                        /** @description The result. */
                        result?: {
                            [key: string]: unknown;
                        };
                    }[];
                };
            };
            /** @description No message needs a response. */
            202: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid. Or: A JSON-RPC error: the message cannot be read; a list of them if none of a batch can. */
            400: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | ({
                        /** @description Why there is no result. */
                        error?: {
                            /** @description The JSON-RPC error code. */
                            code: number;
                            /** @description What went wrong, for people. */
                            message: string;
                        } & {
                            [key: string]: unknown;
                        };
                        id: (string | number) | null;
                        /**
                         * @description The JSON-RPC version.
                         * @constant
                         */
                        jsonrpc: "2.0";
                        /** @description The result. */
                        result?: {
                            [key: string]: unknown;
                        };
                    } | {
                        /** @description Why there is no result. */
                        error?: {
                            /** @description The JSON-RPC error code. */
                            code: number;
                            /** @description What went wrong, for people. */
                            message: string;
                        } & {
                            [key: string]: unknown;
                        };
                        id: (string | number) | null;
                        /**
                         * @description The JSON-RPC version.
                         * @constant
                         */
                        jsonrpc: "2.0";
                        /** @description The result. */
                        result?: {
                            [key: string]: unknown;
                        };
                    }[]);
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden_or_purpose_not_allowed"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document of this base URL. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0"
                     *     }
                     */
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            405: components["responses"]["method_not_allowed"];
            500: components["responses"]["internal"];
        };
    };
    listPatients: {
        parameters: {
            query?: {
                /** @description Date of birth, or its beginning: a year, a month or a day. */
                dob?: string;
                /** @description Records per page. */
                limit?: number;
                /** @description The exact medical record number. */
                mrn?: string;
                /** @description Records to skip before the first one. */
                offset?: number;
                /** @description The beginning of a family name, a given name, the full name in either order, or a medical record number. Accents and case don’t matter. */
                q?: string;
            };
            header?: {
                /**
                 * @description Why the record is read; stored in the practice’s access log.
                 *
                 *     - `operations`: Running the practice.
                 *     - `treatment`: Treating the patient.
                 *     - `payment`: Billing and payment.
                 *     - `quality`: Measuring and improving quality.
                 *     - `public_health`: Public health reporting.
                 *     - `patient_request`: Requested by the patient.
                 */
                "X-Purpose"?: components["parameters"]["purpose"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of matching patients, or an empty list. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "pt-wren-testwell",
                     *           "mrn": "SYN-004217",
                     *           "name": {
                     *             "family": "Testwell",
                     *             "given": [
                     *               "Wren"
                     *             ]
                     *           },
                     *           "birthDate": "1971-04-09",
                     *           "sex": "female",
                     *           "telecom": [
                     *             {
                     *               "system": "phone",
                     *               "value": "(207) 555-0142",
                     *               "use": "mobile"
                     *             },
                     *             {
                     *               "system": "email",
                     *               "value": "wren.testwell@people.example",
                     *               "use": "home"
                     *             }
                     *           ],
                     *           "address": [
                     *             {
                     *               "use": "home",
                     *               "line": [
                     *                 "12 Placeholder Avenue"
                     *               ],
                     *               "city": "Samplehaven",
                     *               "state": "ME",
                     *               "postalCode": "04999",
                     *               "country": "US"
                     *             }
                     *           ],
                     *           "language": "en",
                     *           "active": true,
                     *           "deceased": false,
                     *           "deceasedAt": null,
                     *           "lastUpdated": "2026-11-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "limit": 25,
                     *         "offset": 0,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PatientList"];
                };
            };
            400: components["responses"]["validation"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden_or_purpose_not_allowed_or_class_not_allowed"];
            405: components["responses"]["method_not_allowed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createPatient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value you create, one per record to be created. Sent again with the same body within 24 hours, it creates nothing new and gets the same response; with another body it is refused. Of two concurrent requests, the second waits for the first. A refused request doesn’t use up its key.
                 * @example 8f14e45f-ceea-4b5d-9a1f-7d2b1c0e6a55
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /**
                 * @description Why the record is read; stored in the practice’s access log.
                 *
                 *     - `operations`: Running the practice.
                 *     - `treatment`: Treating the patient.
                 *     - `payment`: Billing and payment.
                 *     - `quality`: Measuring and improving quality.
                 *     - `public_health`: Public health reporting.
                 *     - `patient_request`: Requested by the patient.
                 */
                "X-Purpose"?: components["parameters"]["purpose"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": {
                 *         "family": "Samplewood",
                 *         "given": [
                 *           "Juniper",
                 *           "Mae"
                 *         ]
                 *       },
                 *       "birthDate": "1988-02-17",
                 *       "sex": "female",
                 *       "telecom": [
                 *         {
                 *           "system": "phone",
                 *           "value": "(207) 555-0177",
                 *           "use": "mobile"
                 *         }
                 *       ],
                 *       "address": [
                 *         {
                 *           "use": "home",
                 *           "line": [
                 *             "7 Sample Street"
                 *           ],
                 *           "city": "Samplehaven",
                 *           "state": "ME",
                 *           "postalCode": "04999",
                 *           "country": "US"
                 *         }
                 *       ],
                 *       "language": "en"
                 *     }
                 */
                "application/json": components["schemas"]["NewPatient"];
            };
        };
        responses: {
            /** @description The patient, with its ID and, if none was sent, its new medical record number. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f0c2a52-6a0e-4f0e-9a3b-2f8f6d1c9b7e",
                     *       "mrn": "SYN-7K2M9QXD",
                     *       "name": {
                     *         "family": "Samplewood",
                     *         "given": [
                     *           "Juniper",
                     *           "Mae"
                     *         ]
                     *       },
                     *       "birthDate": "1988-02-17",
                     *       "sex": "female",
                     *       "telecom": [
                     *         {
                     *           "system": "phone",
                     *           "value": "(207) 555-0177",
                     *           "use": "mobile"
                     *         }
                     *       ],
                     *       "address": [
                     *         {
                     *           "use": "home",
                     *           "line": [
                     *             "7 Sample Street"
                     *           ],
                     *           "city": "Samplehaven",
                     *           "state": "ME",
                     *           "postalCode": "04999",
                     *           "country": "US"
                     *         }
                     *       ],
                     *       "language": "en",
                     *       "active": true,
                     *       "deceased": false,
                     *       "deceasedAt": null,
                     *       "lastUpdated": "2026-11-20T17:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Patient"];
                };
            };
            400: components["responses"]["validation_or_malformed_json"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden_or_purpose_not_allowed_or_class_not_allowed"];
            405: components["responses"]["method_not_allowed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getPatient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Why the record is read; stored in the practice’s access log.
                 *
                 *     - `operations`: Running the practice.
                 *     - `treatment`: Treating the patient.
                 *     - `payment`: Billing and payment.
                 *     - `quality`: Measuring and improving quality.
                 *     - `public_health`: Public health reporting.
                 *     - `patient_request`: Requested by the patient.
                 */
                "X-Purpose"?: components["parameters"]["purpose"];
            };
            path: {
                /** @description Id of the patient. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The patient. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "pt-wren-testwell",
                     *       "mrn": "SYN-004217",
                     *       "name": {
                     *         "family": "Testwell",
                     *         "given": [
                     *           "Wren"
                     *         ]
                     *       },
                     *       "birthDate": "1971-04-09",
                     *       "sex": "female",
                     *       "telecom": [
                     *         {
                     *           "system": "phone",
                     *           "value": "(207) 555-0142",
                     *           "use": "mobile"
                     *         },
                     *         {
                     *           "system": "email",
                     *           "value": "wren.testwell@people.example",
                     *           "use": "home"
                     *         }
                     *       ],
                     *       "address": [
                     *         {
                     *           "use": "home",
                     *           "line": [
                     *             "12 Placeholder Avenue"
                     *           ],
                     *           "city": "Samplehaven",
                     *           "state": "ME",
                     *           "postalCode": "04999",
                     *           "country": "US"
                     *         }
                     *       ],
                     *       "language": "en",
                     *       "active": true,
                     *       "deceased": false,
                     *       "deceasedAt": null,
                     *       "lastUpdated": "2026-11-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Patient"];
                };
            };
            400: components["responses"]["validation"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden_or_purpose_not_allowed_or_class_not_allowed"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getCcda: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Why the record is read; stored in the practice’s access log.
                 *
                 *     - `operations`: Running the practice.
                 *     - `treatment`: Treating the patient.
                 *     - `payment`: Billing and payment.
                 *     - `quality`: Measuring and improving quality.
                 *     - `public_health`: Public health reporting.
                 *     - `patient_request`: Requested by the patient.
                 */
                "X-Purpose"?: components["parameters"]["purpose"];
            };
            path: {
                /** @description Id of the patient. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version="1.0" encoding="UTF-8"?><ClinicalDocument xmlns="urn:hl7-org:v3">…</ClinicalDocument> */
                    "application/xml": string;
                    "text/html": string;
                };
            };
            400: components["responses"]["validation"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden_or_purpose_not_allowed_or_class_not_allowed"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listPractitioners: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip before the first one. */
                offset?: number;
                /** @description The beginning of a family name, a given name, the full name in either order, or an NPI. Accents and case don’t matter. */
                q?: string;
            };
            header?: {
                /**
                 * @description Why the record is read; stored in the practice’s access log.
                 *
                 *     - `operations`: Running the practice.
                 *     - `treatment`: Treating the patient.
                 *     - `payment`: Billing and payment.
                 *     - `quality`: Measuring and improving quality.
                 *     - `public_health`: Public health reporting.
                 *     - `patient_request`: Requested by the patient.
                 */
                "X-Purpose"?: components["parameters"]["purpose"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of matching practitioners, or an empty list. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "pr-ines-placeholder",
                     *           "npi": "2999042171",
                     *           "name": {
                     *             "family": "Placeholder",
                     *             "given": [
                     *               "Ines"
                     *             ]
                     *           },
                     *           "active": true,
                     *           "telecom": [
                     *             {
                     *               "system": "phone",
                     *               "value": "(207) 555-0110",
                     *               "use": "work"
                     *             },
                     *             {
                     *               "system": "email",
                     *               "value": "ines.placeholder@clinic.example",
                     *               "use": "work"
                     *             }
                     *           ],
                     *           "address": [
                     *             {
                     *               "use": "work",
                     *               "line": [
                     *                 "1 Example Square"
                     *               ],
                     *               "city": "Samplehaven",
                     *               "state": "ME",
                     *               "postalCode": "04999",
                     *               "country": "US"
                     *             }
                     *           ],
                     *           "specialties": [
                     *             {
                     *               "system": "http://nucc.org/provider-taxonomy",
                     *               "code": "207Q00000X",
                     *               "display": "Family Medicine Physician"
                     *             }
                     *           ],
                     *           "locationIds": [
                     *             "loc-main"
                     *           ],
                     *           "lastUpdated": "2026-11-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "limit": 25,
                     *         "offset": 0,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PractitionerList"];
                };
            };
            400: components["responses"]["validation"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden_or_purpose_not_allowed"];
            405: components["responses"]["method_not_allowed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getPractitioner: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Why the record is read; stored in the practice’s access log.
                 *
                 *     - `operations`: Running the practice.
                 *     - `treatment`: Treating the patient.
                 *     - `payment`: Billing and payment.
                 *     - `quality`: Measuring and improving quality.
                 *     - `public_health`: Public health reporting.
                 *     - `patient_request`: Requested by the patient.
                 */
                "X-Purpose"?: components["parameters"]["purpose"];
            };
            path: {
                /** @description Id of the practitioner. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The practitioner. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "pr-ines-placeholder",
                     *       "npi": "2999042171",
                     *       "name": {
                     *         "family": "Placeholder",
                     *         "given": [
                     *           "Ines"
                     *         ]
                     *       },
                     *       "active": true,
                     *       "telecom": [
                     *         {
                     *           "system": "phone",
                     *           "value": "(207) 555-0110",
                     *           "use": "work"
                     *         },
                     *         {
                     *           "system": "email",
                     *           "value": "ines.placeholder@clinic.example",
                     *           "use": "work"
                     *         }
                     *       ],
                     *       "address": [
                     *         {
                     *           "use": "work",
                     *           "line": [
                     *             "1 Example Square"
                     *           ],
                     *           "city": "Samplehaven",
                     *           "state": "ME",
                     *           "postalCode": "04999",
                     *           "country": "US"
                     *         }
                     *       ],
                     *       "specialties": [
                     *         {
                     *           "system": "http://nucc.org/provider-taxonomy",
                     *           "code": "207Q00000X",
                     *           "display": "Family Medicine Physician"
                     *         }
                     *       ],
                     *       "locationIds": [
                     *         "loc-main"
                     *       ],
                     *       "lastUpdated": "2026-11-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Practitioner"];
                };
            };
            400: components["responses"]["validation"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden_or_purpose_not_allowed"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getPracticeStatus: {
        parameters: {
            query: {
                /** @description Login slug of the practice, 1 to 128 characters. */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The practice, or that no practice has this ID. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checkedAt": "2026-11-20T17:00:00.000Z",
                     *       "queried": "harbor-family",
                     *       "found": true,
                     *       "practiceId": "harbor-family",
                     *       "name": "Harborlight Family Medicine",
                     *       "status": "operational",
                     *       "summary": "Sign-in works and records can be saved."
                     *     }
                     */
                    "application/json": components["schemas"]["PracticeStatus"];
                };
            };
            400: components["responses"]["validation"];
            405: components["responses"]["method_not_allowed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getPlatformStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The platform and its components. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checkedAt": "2026-11-20T17:00:00.000Z",
                     *       "overall": "degraded",
                     *       "overallSummary": "MCP server: under maintenance. All other checked components are operational.",
                     *       "services": [
                     *         {
                     *           "id": "api",
                     *           "name": "REST API",
                     *           "href": "https://portal.example/api/v1",
                     *           "status": "operational",
                     *           "summary": "Searches work and records can be saved."
                     *         },
                     *         {
                     *           "id": "mcp",
                     *           "name": "MCP server",
                     *           "href": "https://portal.example/api/v1/mcp",
                     *           "status": "under_maintenance",
                     *           "summary": "A search index is being rebuilt. Back by 18:00 UTC.",
                     *           "overridden": true,
                     *           "automaticStatus": "degraded"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformStatus"];
                };
            };
            400: components["responses"]["validation"];
            405: components["responses"]["method_not_allowed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
        };
    };
}
