/** The credits of an account as GET /v1/credits returns them. */
export interface BalanceView {
	readonly balance: number;
	readonly availableCredits: number;
	readonly reservedCredits: number;
	readonly totalPurchased: number;
	readonly totalConsumed: number;
	readonly totalRefunded: number;
	readonly transactionCount: number;
	/** Epoch milliseconds. */
	readonly lastTransactionAt: number | null;
}
