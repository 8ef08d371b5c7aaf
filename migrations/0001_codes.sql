CREATE TABLE `codes` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`code_hash` text NOT NULL,
	`salt` text NOT NULL,
	`email` text NOT NULL,
	`login_name` text NOT NULL,
	`user_id` text NOT NULL,
	`account_id` text,
	`tries` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `codes_login_name` ON `codes` (`login_name`);--> statement-breakpoint
CREATE INDEX `codes_user` ON `codes` (`user_id`);
