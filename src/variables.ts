import * as z from 'zod';
import type { AddressPolicy } from './core/dns/find-mail-exchangers.ts';
import { parseEgressList } from './core/egress/egress.ts';
import type { Egress } from './core/egress/egress.ts';
import { parseAddressBlock } from './lib/ip-address.ts';

// Schemas of environment variables, for the Worker and for the prober.

export const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');
export const list = z.string().transform(wordsOf);
export const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
export const yesOrNo = z.enum(['true', 'false', '']).transform((word) => word === 'true');
// HELO name and sender become part of SMTP commands unescaped.
export const heloName = z.string().regex(/^[A-Za-z0-9.-]{1,255}$/, 'is not a host name');
export const mailFrom = z.string().regex(/^[^\s<>@]{1,64}@[A-Za-z0-9.-]{1,255}$/, 'is not an address');

/** A text that a parser reads, which throws an `Error` in words for the operator. */
export function parsedBy<T>(parse: (text: string) => T) {
	return z.string().transform((text, context): T => {
		try {
			return parse(text);
		} catch (error) {
			context.addIssue({ code: 'custom', message: String(error).replace(/^Error: /, '') });
			return z.NEVER;
		}
	});
}

export const egressList = parsedBy((text): readonly Egress[] => {
	const egresses = parseEgressList(text);
	for (const { heloName: helo, mailFrom: from } of egresses)
		if (!heloName.nullable().safeParse(helo).success || !mailFrom.nullable().safeParse(from).success)
			throw new Error('helo or from is not usable');
	return egresses;
});

/** `true`, `false`, or the address blocks that are allowed in addition to public addresses. */
export const privateMx = parsedBy((text): AddressPolicy => {
	if (text === 'false' || text === '') return [];
	const blocks = (text === 'true' ? '0.0.0.0/0 ::/0' : text).split(/[\s,]+/).map(parseAddressBlock);
	const allowed = blocks.filter((block) => block !== null);
	if (allowed.length === blocks.length) return allowed;
	throw new Error('is neither true, false nor a list of address blocks');
});

/** Thrown for a value that can't be used. The message names the variable and never its value. */
export class ConfigError extends Error {
	override readonly name = 'ConfigError';
}

/** Reads the variables that a schema names. An empty value counts as absent. */
export function readVariables<S extends z.ZodType>(schema: S, env: object): z.output<S> {
	const given = Object.entries(env).filter(([, value]) => typeof value === 'string' && value !== '');
	const parsed = schema.safeParse(Object.fromEntries(given));
	if (parsed.success) return parsed.data;
	const problems = parsed.error.issues.map(({ path: [name, ...within], message }) => {
		const words = within.filter((word) => typeof word === 'string');
		return `${String(name)}: ${[...words, message].join(' ')}`;
	});
	throw new ConfigError(`Mailsonar is misconfigured. ${problems.join('; ')}`);
}
