/** The local part without quotes and plus tag, in lower case: how most servers compare it. */
export function mailboxName(localPart: string): string {
	const bare = localPart.startsWith('"') ? localPart.slice(1, -1) : localPart;
	const plus = bare.indexOf('+');
	return (plus > 0 ? bare.slice(0, plus) : bare).toLowerCase();
}
