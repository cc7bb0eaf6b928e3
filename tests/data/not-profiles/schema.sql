-- The shop.
CREATE TABLE carts (
    id bigint PRIMARY KEY,
    items integer NOT NULL DEFAULT 0
);
INSERT INTO carts VALUES (1, 12);
INSERT INTO carts VALUES (2, 340);
SELECT count(*) FROM carts WHERE items > 10 LIMIT 5
