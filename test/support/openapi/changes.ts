import { isDeepStrictEqual } from 'node:util';

// What became of the API between two OpenAPI documents of ours, and whether a client that was written or generated for
// the first one still works with the second one.

/** A change of the API. */
export interface ApiChange {
	/** `breaking`: a client of before can fail. */
	readonly kind: 'breaking' | 'addition';
	/** One line, the same whenever the same is changed: the changelog names breaking changes by it. */
	readonly text: string;
}

// The parts of an OpenAPI 3.1 document that our generator writes.
interface Schema {
	readonly $ref?: string;
	readonly allOf?: readonly Schema[];
	readonly anyOf?: readonly Schema[];
	readonly type?: string | readonly string[];
	readonly enum?: readonly unknown[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
	readonly [keyword: string]: unknown;
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
interface Parameter {
	readonly name: string;
	readonly in: string;
	readonly required?: boolean;
	readonly schema?: Schema;
}
interface Operation {
	readonly operationId?: string;
	readonly security?: unknown;
	readonly parameters?: readonly Parameter[];
	readonly requestBody?: { readonly required?: boolean; readonly content?: Content };
	readonly responses?: Readonly<
		Record<string, { readonly headers?: Readonly<Record<string, unknown>>; readonly content?: Content }>
	>;
}
export interface ApiDocument {
	readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	/** What we send, by the type of the event. */
	readonly webhooks?: Readonly<Record<string, { readonly post?: Operation }>>;
	readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** Whether the client writes the value or reads it. */
type Direction = 'request' | 'response';

/** All changes from one document to another one, in the order of the documents. Texts for people are no changes. */
export function changesOf(before: ApiDocument, after: ApiDocument): readonly ApiChange[] {
	return new Comparison(before, after).changes();
}

class Comparison {
	readonly #before: ApiDocument;
	readonly #after: ApiDocument;
	readonly #changes: ApiChange[] = [];

	constructor(before: ApiDocument, after: ApiDocument) {
		this.#before = before;
		this.#after = after;
	}

	changes(): readonly ApiChange[] {
		const [before, after] = [operationsOf(this.#before), operationsOf(this.#after)];
		for (const [name, one] of before) {
			const other = after.get(name);
			if (other === undefined) this.#breaks(`${name} was removed`);
			else this.#operation(name, one, other);
		}
		for (const name of after.keys()) if (!before.has(name)) this.#adds(`${name} is new`);
		this.#events(this.#before.webhooks ?? {}, this.#after.webhooks ?? {});
		return this.#changes;
	}

	/** The body of an event is a request of ours: the client reads it. */
	#events(before: NonNullable<ApiDocument['webhooks']>, after: NonNullable<ApiDocument['webhooks']>): void {
		for (const [type, { post }] of Object.entries(before)) {
			const other = after[type]?.post;
			const at = `the event ${type}`;
			if (other === undefined) this.#breaks(`${at} was removed`);
			else this.#content('response', at, post?.requestBody?.content ?? {}, other.requestBody?.content ?? {});
		}
		for (const type of Object.keys(after)) if (!(type in before)) this.#adds(`the event ${type} is new`);
	}

	#operation(at: string, before: Operation, after: Operation): void {
		if (before.operationId !== after.operationId)
			this.#breaks(`${at}: the operationId ${before.operationId} became ${after.operationId}`);
		if (!isDeepStrictEqual(before.security, after.security)) this.#breaks(`${at}: security changed`);
		this.#parameters(at, before.parameters ?? [], after.parameters ?? []);
		this.#body(at, before.requestBody, after.requestBody);
		this.#responses(at, before.responses ?? {}, after.responses ?? {});
	}

	#parameters(at: string, before: readonly Parameter[], after: readonly Parameter[]): void {
		const nameOf = (parameter: Parameter) => `${parameter.in} parameter ${parameter.name}`;
		const known = new Map(before.map((parameter) => [nameOf(parameter), parameter]));
		const now = new Map(after.map((parameter) => [nameOf(parameter), parameter]));
		for (const name of known.keys()) if (!now.has(name)) this.#breaks(`${at}: ${name} was removed`);
		for (const [name, parameter] of now) {
			const one = known.get(name);
			this.#demand(`${at}: ${name}`, one?.required, parameter.required, one === undefined);
			if (one !== undefined) this.#schema('request', `${at}: ${name}`, one.schema, parameter.schema);
		}
	}

	/** Something that the client sends: newly demanded, it is missing in what clients send today. */
	#demand(at: string, before: boolean | undefined, after: boolean | undefined, isNew: boolean): void {
		if (after === true && before !== true) this.#breaks(`${at} became required`);
		else if (isNew) this.#adds(`${at} is new`);
		else if (before === true && after !== true) this.#adds(`${at} became optional`);
	}

	#body(at: string, before: Operation['requestBody'], after: Operation['requestBody']): void {
		this.#demand(
			`${at}: the body`,
			before?.required,
			after?.required,
			before === undefined && after !== undefined,
		);
		this.#content('request', `${at}: the body`, before?.content ?? {}, after?.content ?? {});
	}

	#responses(
		at: string,
		before: NonNullable<Operation['responses']>,
		after: NonNullable<Operation['responses']>,
	): void {
		for (const [status, response] of Object.entries(before)) {
			const other = after[status];
			if (other === undefined) {
				if (status.startsWith('2')) this.#breaks(`${at}: the answer ${status} was removed`);
				else this.#adds(`${at}: the answer ${status} is gone`);
				continue;
			}
			const headers = other.headers ?? {};
			for (const name of Object.keys(response.headers ?? {}))
				if (!(name in headers)) this.#breaks(`${at}: the header ${name} of ${status} was removed`);
			for (const name of Object.keys(headers))
				if (!(name in (response.headers ?? {}))) this.#adds(`${at}: the header ${name} of ${status} is new`);
			this.#content('response', `${at}: ${status}`, response.content ?? {}, other.content ?? {});
		}
		for (const status of Object.keys(after))
			if (!(status in before)) this.#adds(`${at}: the answer ${status} is new`);
	}

	#content(direction: Direction, at: string, before: Content, after: Content): void {
		for (const [type, { schema }] of Object.entries(before)) {
			const other = after[type];
			if (other === undefined) this.#breaks(`${at}: ${type} was removed`);
			else this.#schema(direction, at, schema, other.schema);
		}
		for (const type of Object.keys(after)) if (!(type in before)) this.#adds(`${at}: ${type} is new`);
	}

	#schema(direction: Direction, at: string, one: Schema | undefined, other: Schema | undefined): void {
		const before = resolve(one, this.#before);
		const after = resolve(other, this.#after);
		this.#values(direction, at, 'type', typesOf(before), typesOf(after));
		this.#values(direction, at, 'value', before.enum ?? null, after.enum ?? null);
		for (const keyword of LOWER) this.#bound(direction, at, keyword, before, after, 1);
		for (const keyword of UPPER) this.#bound(direction, at, keyword, before, after, -1);
		for (const keyword of EXACT)
			if (!isDeepStrictEqual(before[keyword], after[keyword]))
				this.#breaks(`${at}: ${keyword} ${shown(before[keyword])} became ${shown(after[keyword])}`);
		if (direction === 'request' && !isDeepStrictEqual(before['default'], after['default']))
			this.#breaks(`${at}: the default ${shown(before['default'])} became ${shown(after['default'])}`);
		this.#properties(direction, at, before, after);
		if (before.items !== undefined && after.items !== undefined)
			this.#schema(direction, `${at}[]`, before.items, after.items);
	}

	/** A set of types or of values: null is all there are. A client may send fewer and must be able to read more. */
	#values(
		direction: Direction,
		at: string,
		what: string,
		before: readonly unknown[] | null,
		after: readonly unknown[] | null,
	): void {
		const gone = before?.filter((value) => after !== null && !after.includes(value)) ?? [];
		const more = after?.filter((value) => before !== null && !before.includes(value)) ?? [];
		const narrowed = (text: string) => (direction === 'request' ? this.#breaks(text) : this.#adds(text));
		const widened = (text: string) => (direction === 'request' ? this.#adds(text) : this.#breaks(text));
		if (before === null && after !== null)
			narrowed(`${at}: only some ${what}s are left: ${after.map(shown).join(', ')}`);
		if (before !== null && after === null) widened(`${at}: any ${what} can occur`);
		for (const value of gone) narrowed(`${at}: the ${what} ${shown(value)} was removed`);
		for (const value of more) widened(`${at}: the ${what} ${shown(value)} is new`);
	}

	/** A bound of a range; `sense` 1: a higher one is narrower. */
	#bound(
		direction: Direction,
		at: string,
		keyword: string,
		{ [keyword]: before }: Schema,
		{ [keyword]: after }: Schema,
		sense: 1 | -1,
	): void {
		if (before === after) return;
		const open = -Infinity;
		const [old, now] = [before, after].map((bound) => (bound === undefined ? open : Number(bound) * sense));
		const isNarrower = (now ?? open) > (old ?? open);
		const text = `${at}: ${keyword} ${shown(before)} became ${shown(after)}`;
		if (isNarrower === (direction === 'request')) this.#breaks(text);
		else this.#adds(text);
	}

	#properties(direction: Direction, at: string, before: Schema, after: Schema): void {
		const [old, now] = [before.properties ?? {}, after.properties ?? {}];
		for (const [name, property] of Object.entries(old)) {
			const place = `${at} ${name}`;
			const other = now[name];
			if (other === undefined) {
				this.#breaks(`${place} was removed`);
				continue;
			}
			const [was, is] = [before, after].map(({ required = [] }) => required.includes(name));
			if (direction === 'request') this.#demand(place, was, is, false);
			else if (was === true && is !== true) this.#breaks(`${place} became optional`);
			else if (was !== true && is === true) this.#adds(`${place} is always there`);
			this.#schema(direction, place, property, other);
		}
		for (const name of Object.keys(now).filter((one) => !(one in old))) {
			const isDemanded = direction === 'request' && after.required?.includes(name) === true;
			this.#demand(`${at} ${name}`, false, isDemanded, true);
		}
	}

	#breaks(text: string): void {
		this.#changes.push({ kind: 'breaking', text });
	}

	#adds(text: string): void {
		this.#changes.push({ kind: 'addition', text });
	}
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const;
// Whether another one is wider or narrower can not be told.
const EXACT = ['pattern', 'format', 'const', 'anyOf', 'oneOf', 'additionalProperties'] as const;

function operationsOf({ paths = {} }: ApiDocument): ReadonlyMap<string, Operation> {
	const operations = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(
			([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
		),
	);
	return new Map(operations);
}

function resolve(schema: Schema | undefined, document: ApiDocument): Schema {
	if (schema === undefined) return {};
	const { $ref, allOf, ...own } = schema;
	const parts = [
		...($ref === undefined ? [] : [document.components?.schemas?.[$ref.split('/').at(-1) ?? ''] ?? {}]),
		...(allOf ?? []),
	];
	return parts.reduce<Schema>((all, part) => ({ ...all, ...resolve(part, document) }), own);
}

function typesOf({ type }: Schema): readonly string[] | null {
	if (type === undefined) return null;
	return typeof type === 'string' ? [type] : type;
}

function shown(value: unknown): string {
	return value === undefined ? '(none)' : JSON.stringify(value);
}

/**
 * The breaking changes that the section `## [Unreleased]` of a changelog does not name by their texts: until it does,
 * they must not be published.
 */
export function unnamedIn(changelog: string, changes: readonly ApiChange[]): readonly string[] {
	const [, unreleased = ''] = /^## \[Unreleased\]$([^]*?)(?=^## \[|$(?![^]))/m.exec(changelog) ?? [];
	return changes
		.filter(({ kind, text }) => kind === 'breaking' && !unreleased.includes(text))
		.map(({ text }) => text);
}
