import { fnv1a } from '../../lib/digest.ts';
import { REPLY_RULES } from './reply-rules.ts';
import { WEIGHTS } from './reply-words/data/weights.ts';

const written = JSON.stringify([REPLY_RULES, WEIGHTS], (_, value: unknown) =>
	value instanceof RegExp ? value.source : value,
);

/** The version of the rules that read replies, made from the rules themselves. */
export const RULES_VERSION: string = fnv1a(written).toString(16).padStart(8, '0');
