CREATE TABLE `purchases` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`credits` integer NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`changed_at` integer,
	`session_id` text,
	`payment_id` text,
	`receipt_url` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `purchases_session` ON `purchases` (`session_id`);
--> statement-breakpoint
CREATE INDEX `purchases_payment` ON `purchases` (`payment_id`);
--> statement-breakpoint
CREATE INDEX `purchases_account` ON `purchases` (`account_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `purchases_state` ON `purchases` (`state`,`created_at`);
