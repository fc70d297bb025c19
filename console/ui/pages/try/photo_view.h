#pragma once

#include "console/ui/pages/try/try_reply.h"
#include "console/ui/shell/theme.h"

#include <QImage>
#include <QWidget>

namespace fremis::console::ui {

/// A photo in memory, with the faces that were found; dropped, pasted or opened. Never touches the disk. Thread: GUI.
class PhotoView final : public QWidget {
    Q_OBJECT

public:
    static constexpr qint64 kMostBytes = 20 * 1024 * 1024;
    static constexpr int kMostMegabytes = 256; ///< of a decoded picture

    explicit PhotoView(const Theme& theme, QWidget* parent = nullptr);
    /// JPEG, PNG, WebP or BMP. Empty when it was taken, else why not.
    [[nodiscard]] QString setBytes(const QByteArray& bytes);
    void clear();
    void paste(); ///< from the clipboard
    [[nodiscard]] const QByteArray& bytes() const { return m_bytes; }
    [[nodiscard]] bool isEmpty() const { return m_bytes.isEmpty(); }
    void setFaces(std::vector<DetectedFace> faces);
    void retranslate();
    [[nodiscard]] QSize sizeHint() const override { return {300, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, 160}; }

Q_SIGNALS:
    void changed();
    void openAsked();
    void refused(const QString& why);

protected:
    void paintEvent(QPaintEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void take(const QByteArray& bytes);
    void takeFile(const QString& path);
    [[nodiscard]] QRectF pictureRect() const;

    const Theme& m_theme;
    QByteArray m_bytes;
    QImage m_image;
    std::vector<DetectedFace> m_faces;
};

} // namespace fremis::console::ui
