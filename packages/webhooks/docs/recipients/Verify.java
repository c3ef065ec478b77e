import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Verify {
    /** header: finds one by its name, such as request::getHeader. body: not parsed yet. */
    public static boolean isGenuine(UnaryOperator<String> header, byte[] body, String secret)
            throws GeneralSecurityException {
        byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
        if (key.length < 24) throw new IllegalStateException("The secret is not set");
        String timestamp = header.apply("webhook-timestamp");
        String signatures = header.apply("webhook-signature");
        if (signatures == null || timestamp == null || !timestamp.matches("\\d{1,12}")) return false;
        long age = System.currentTimeMillis() / 1000 - Long.parseLong(timestamp);
        if (Math.abs(age) > 300) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((header.apply("webhook-id") + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        boolean isGenuine = false;
        // There are two signatures for 24 hours after a rotation.
        for (String given : signatures.split(" ")) {
            isGenuine |= MessageDigest.isEqual(given.getBytes(), expected.getBytes());
        }
        return isGenuine;
    }
}
