import { z } from 'zod';
import { describeFault, parseAddress } from '../core/address/parse-address.ts';

// What forms of people have in common. Messages are for the person, beside the field.

/** An address, read. */
export const addressField = z
	.string({ error: 'Enter your email address' })
	.trim()
	.min(1, 'Enter your email address')
	.transform((text, context) => {
		const parsed = parseAddress(text);
		if (parsed.ok) return parsed.address;
		context.addIssue({ code: 'custom', message: describeFault(parsed.reason) });
		return z.NEVER;
	});

/** A password as it was typed. Whether a new one is good enough is judged by the operation. */
export const passwordField = z
	.string({ error: 'Enter your password' })
	.min(1, 'Enter your password')
	// What is longer is no password of ours, and hashing it costs.
	.max(1_024, 'This password is too long');

/** The token of a link in a mail. */
export const linkToken = z.string({ error: 'This link is not complete' }).max(200);
