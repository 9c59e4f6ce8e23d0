<?php
// The insert-first recipe as one would write it by hand: the event's ID goes into a table
// with a unique key, in the same transaction as the row; who is refused there came again.
$body = file_get_contents('php://input');
$signature = base64_encode(hash_hmac('sha256', $body, $_SERVER['CHANNEL_SECRET'], true));
if (!hash_equals($signature, $_SERVER['HTTP_X_LINE_SIGNATURE'] ?? '')) {
    http_response_code(401);
    exit;
}
$db = new PDO('mysql:dbname=budget;charset=utf8mb4;unix_socket=' . $_SERVER['DATABASE_SOCKET'], 'root', '', [
    PDO::ATTR_PERSISTENT => true,
    PDO::ATTR_EMULATE_PREPARES => true, // one round trip a statement instead of two
    PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
]);
foreach (json_decode($body, true, 16, JSON_THROW_ON_ERROR)['events'] as $event) {
    if (!preg_match('/^(\S+) (\d+)$/u', $event['message']['text'] ?? '', $said)) {
        continue;
    }
    $db->beginTransaction();
    try {
        $db->prepare('INSERT INTO receipts (event, digest, at) VALUES (?, ?, ?)')
            ->execute([$event['webhookEventId'], hash('sha256', $event['message']['text'], true), $event['timestamp']]);
        $db->prepare('INSERT INTO entries (receipt, date, amount, item, category, member) VALUES (?, ?, ?, ?, ?, ?)')
            ->execute([$db->lastInsertId(), date('Y-m-d', intdiv($event['timestamp'], 1000)), $said[2], $said[1], '食費', $event['source']['userId']]);
        $db->commit();
    } catch (PDOException $e) {
        $db->rollBack();
        if ($e->errorInfo[1] !== 1062) { // anything but a duplicate key: LINE shall send it again
            throw $e;
        }
    }
}
