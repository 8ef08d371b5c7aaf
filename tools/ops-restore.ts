import { forPeople } from './for-people.ts';

/** The service's report of a planned restore, or of one that was done. */
interface Restoration {
	readonly accountId: string;
	readonly secondsBack: number | null;
	readonly restored: { readonly undoBookmark: string } | null;
}

export function isRestoration(answer: object): answer is Restoration {
	return 'secondsBack' in answer && 'restored' in answer;
}

/** The answer for people, with what is to be done next. */
export function restorationReport(answer: Restoration): string {
	const { accountId, restored } = answer;
	if (restored === null)
		return `${forPeople(answer)}\n\nNothing has changed. The same call with --confirm does it.`;
	const account = encodeURIComponent(accountId);
	const undo = encodeURIComponent(restored.undoBookmark);
	return `${forPeople(answer)}

The account is as it was then, its suspension included. Next:
  npm run ops -- account show ${account}
      keys revoked since then work again: revoke them; keys made since are gone
  npm run ops -- account restore ${account} --bookmark ${undo} --confirm
      undoes it
Files (R2) and the database (D1) were not restored. Purchases paid since
are booked again. Credits that an operator granted since are not: grant them again, with their ids.`;
}
